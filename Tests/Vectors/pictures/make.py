"""Writes the pictures of Tests/Vectors/pictures: 24 x 16 pixels, red, green, blue and white quarters, with metadata that must go."""
import io
from PIL import Image, PngImagePlugin
from PIL.TiffImagePlugin import ImageFileDirectory_v2

def quarters(w=24, h=16):
    im = Image.new("RGB", (w, h))
    for y in range(h):
        for x in range(w):
            im.putpixel((x, y), [(220, 20, 20), (20, 200, 20), (20, 20, 220), (240, 240, 240)][(y >= h // 2) * 2 + (x >= w // 2)])
    return im

def exif(orientation):
    e = Image.Exif()
    e[0x010F] = "SECRET camera"
    e[0x0112] = orientation
    e[0x013B] = "SECRET person"
    gps = e.get_ifd(0x8825)
    gps[1] = "N"; gps[2] = (52.0, 31.0, 12.0)
    return e

upright = quarters()
# How the upright picture has to be stored so that it is shown upright.
stored = {
    1: upright, 2: upright.transpose(Image.FLIP_LEFT_RIGHT), 3: upright.transpose(Image.ROTATE_180),
    4: upright.transpose(Image.FLIP_TOP_BOTTOM), 5: upright.transpose(Image.TRANSPOSE),
    6: upright.transpose(Image.ROTATE_90), 7: upright.transpose(Image.TRANSVERSE), 8: upright.transpose(Image.ROTATE_270),
}
for n, im in stored.items():
    im.save(f"turned-{n}.jpg", quality=90, subsampling=0, exif=exif(n), comment=b"SECRET comment", xmp=b"<x>SECRET xmp</x>")
upright.save("progressive.jpg", quality=90, progressive=True)
im = upright.convert("CMYK"); im.save("cmyk.jpg")
info = PngImagePlugin.PngInfo(); info.add_text("Author", "SECRET author"); info.add_itxt("XML:com.adobe.xmp", "SECRET xmp")
stored[6].save("turned-6.png", pnginfo=info, exif=exif(6))
rgba = upright.convert("RGBA"); rgba.putpixel((0, 0), (0, 0, 0, 0)); rgba.save("transparent.png")
upright.convert("P", palette=Image.ADAPTIVE).save("frames.gif", save_all=True, append_images=[stored[3].convert("P")], duration=100, loop=0, comment=b"SECRET comment")
upright.save("interlaced.gif", interlace=1)
stored[6].save("turned-6.webp", lossless=True, exif=exif(6), xmp=b"<x>SECRET xmp</x>")
upright.save("plain.webp", lossless=True)
