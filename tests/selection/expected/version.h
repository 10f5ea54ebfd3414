#define TORCH_VERSION_MAJOR 2
#define V "2.15.0"
