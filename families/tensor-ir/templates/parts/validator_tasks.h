// What the checks of trees do: below some levels, children wait on a stack, so that trees may have
// any depth.
#pragma once

#include "validator_report.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace torchgen_support {
namespace {

/// Checks that follow each other. `Checker` has `look_at` for the nodes.
template <typename Checker>
class tasks_t : public report_t {
    struct task_t {
        void (*run)(Checker &checker, const task_t &task);
        const void *what;
        /// The steps to the node around it, and from there.
        std::size_t depth;
        std::size_t count;
        step_t steps[2];
        void (*then)();
    };
    std::vector<task_t> tasks_;
    std::size_t depth_ = 0;
    step_t record_ {nullptr, -1};
    /// Whether what waits is done, and how many nodes are around one that does not wait.
    bool running_ = false;
    int level_ = 0;

    void wait(void (*run)(Checker &, const task_t &), const void *what, const char *field, long at) {
        task_t task {run, what, depth_, 0, {}, nullptr};
        if (record_.field) task.steps[task.count++] = record_;
        if (field) task.steps[task.count++] = {field, at};
        tasks_.push_back(task);
    }

    /// A child that is looked at while it lives.
    class child_t {
        tasks_t &tasks_;
        const std::size_t depth_;
        const step_t record_;

    public:
        child_t(tasks_t &tasks, const char *field, long at)
            : tasks_(tasks), depth_(tasks.path_.size()), record_(std::exchange(tasks.record_, {nullptr, -1})) {
            if (record_.field) tasks.path_.push_back(record_);
            if (field) tasks.path_.push_back({field, at});
            tasks.level_++;
        }
        ~child_t() {
            tasks_.path_.resize(depth_);
            tasks_.record_ = record_;
            tasks_.level_--;
        }
        child_t(const child_t &) = delete;
    };

protected:
    ~tasks_t() = default;

    /// The record of a list whose fields are gone into while it lives.
    class record_t {
        tasks_t &tasks_;

    public:
        record_t(tasks_t &tasks, const char *field, std::size_t at) : tasks_(tasks) {
            tasks.record_ = {field, static_cast<long>(at)};
        }
        ~record_t() { tasks_.record_ = {nullptr, -1}; }
        record_t(const record_t &) = delete;
    };

    /// Looks at a child, after what was added before.
    template <typename T, typename Base>
    void go(const char *field, const node_ptr<T, Base> &child, long at = -1) {
        auto run = [](Checker &checker, const task_t &task) {
            checker.look_at(static_cast<const Base *>(task.what)->node_ptr_from_this());
        };
        const Base *node = child.impl.get();
        if (!node) return;
        if (running_) {
            wait(run, node, field, at);
        } else if (level_ == detail::most_levels) {
            depth_ = path_.size();
            wait(run, node, field, at);
            settle();
        } else {
            child_t step(*this, field, at);
            static_cast<Checker &>(*this).look_at(node_ptr<const Base, Base>(child));
        }
    }
    template <typename T, typename Base>
    void go(const char *field, const std::vector<node_ptr<T, Base>> &list) {
        for (std::size_t at = 0; at < list.size(); at++)
            go(field, list[at], static_cast<long>(at));
    }
    [[maybe_unused]] void go(const char *field, const std::shared_ptr<node_base> &callee) {
        if (auto e = std::dynamic_pointer_cast<expr_base>(callee)) go(field, expr_c(e));
    }
    /// Does something with a node, after what was added before.
    template <typename Pointer>
    void later(const Pointer &node, void (*step)(Checker &checker, const Pointer &node)) {
        if (!running_) {
            step(static_cast<Checker &>(*this), node);
            return;
        }
        using node_t = typename Pointer::type;
        auto run = [](Checker &checker, const task_t &task) {
            auto then = reinterpret_cast<void (*)(Checker &, const Pointer &)>(task.then);
            then(checker, static_cast<node_t *>(task.what)->node_ptr_from_this().template static_as<Pointer>());
        };
        wait(run, node.get(), nullptr, -1);
        tasks_.back().then = reinterpret_cast<void (*)()>(step);
    }
    /// Does all that was added.
    void settle() {
        const bool before = std::exchange(running_, true);
        const std::vector<step_t> path = path_;
        for (std::size_t first = 0;;) {
            // What was added first is next.
            std::reverse(tasks_.begin() + static_cast<std::ptrdiff_t>(first), tasks_.end());
            if (tasks_.empty()) break;
            const task_t task = tasks_.back();
            tasks_.pop_back();
            first = tasks_.size();
            path_.resize(task.depth);
            path_.insert(path_.end(), task.steps, task.steps + task.count);
            depth_ = path_.size();
            task.run(static_cast<Checker &>(*this), task);
        }
        path_ = path;
        depth_ = path_.size();
        running_ = before;
    }
};

} // namespace
} // namespace torchgen_support
