"""The second namespace of the library: files and images."""

import os
import tempfile
import unittest

import torch
from torch.library import opcheck
from torch.testing import assert_close

import visionkit
from visionkit import visionkit_image


def pixels(*shape):
    return torch.randint(256, shape, dtype=torch.uint8, generator=torch.Generator().manual_seed(0))


class Image(unittest.TestCase):
    def test_files(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "data")
            visionkit_image.write_file(path, pixels(300)[::2])
            with open(path, "rb") as file:
                self.assertEqual(file.read(), bytes(pixels(300)[::2].tolist()))
            assert_close(visionkit_image.read_file(path), pixels(300)[::2].contiguous())
        with self.assertRaisesRegex(RuntimeError, "cannot read"):
            visionkit_image.read_file(path)

    def test_images(self):
        rgb = b"P6 3 2 255\n" + bytes(range(18))
        image = visionkit_image.decode_image(torch.frombuffer(bytearray(rgb), dtype=torch.uint8), 0)
        assert_close(image, torch.arange(18, dtype=torch.uint8).reshape(2, 3, 3).permute(2, 0, 1).contiguous())
        self.assertEqual(bytes(visionkit_image.encode_image(image).tolist()), rgb)
        encoded = visionkit_image.encode_image(pixels(1, 4, 5))
        assert_close(visionkit_image.decode_image(encoded, 3), pixels(1, 4, 5).repeat(3, 1, 1))
        # The default of the published schema.
        schema = str(torch.ops.visionkit_image.decode_image.default._schema)
        expected = "visionkit_image::decode_image(Tensor data, int mode, bool apply_exif_orientation=False) -> Tensor"
        self.assertEqual(schema, expected)

    def test_opcheck(self):
        encoded = visionkit_image.encode_image(pixels(3, 4, 5))
        opcheck(torch.ops.visionkit_image.decode_image.default, (encoded, 1))
        opcheck(torch.ops.visionkit_image.encode_image.default, (pixels(3, 4, 5),))

    def test_compile(self):
        torch._dynamo.config.capture_dynamic_output_shape_ops = True

        def brighter(data):
            return visionkit_image.encode_image(visionkit_image.decode_image(data, 3) // 2 + 128)

        compiled = torch.compile(brighter, fullgraph=True, backend="aot_eager", dynamic=True)
        for size in (4, 7):
            data = visionkit_image.encode_image(pixels(3, size, 5))
            assert_close(compiled(data), brighter(data))

    def test_places(self):
        """The namespace with the package's name is the package, and each is a package in it."""
        self.assertIs(visionkit.nms, visionkit.visionkit.nms)
        self.assertEqual(visionkit_image.__name__, "visionkit.visionkit_image")
        self.assertEqual((visionkit._cuda_version(), visionkit_image._jpeg_version()), (-1, -1))


if __name__ == "__main__":
    unittest.main()
