// Reads the pixels of a PNG.

import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";

export class Picture {
    /// Decodes a PNG with 8 bits per channel and no interlacing.
    static of(png) {
        const picture = new Picture();
        const parts = [];
        for (let at = 8; at < png.length; ) {
            const length = png.readUInt32BE(at);
            const kind = png.toString("latin1", at + 4, at + 8);
            const body = png.subarray(at + 8, at + 8 + length);
            if (kind === "IHDR") {
                picture.width = body.readUInt32BE(0);
                picture.height = body.readUInt32BE(4);
                picture.channels = { 2: 3, 6: 4 }[body[9]];
                assert.ok(body[8] === 8 && body[12] === 0 && picture.channels, "unsupported kind of PNG");
            } else if (kind === "IDAT") {
                parts.push(body);
            }
            at += length + 12;
        }
        picture.#unfilter(inflateSync(Buffer.concat(parts)));
        return picture;
    }

    #unfilter(bytes) {
        const { channels, height } = this;
        const row = this.width * channels;
        const out = (this.bytes = Buffer.alloc(row * height));
        for (let y = 0; y < height; y++) {
            const filter = bytes[y * (row + 1)];
            for (let x = 0; x < row; x++) {
                const at = y * row + x;
                const left = x >= channels ? out[at - channels] : 0;
                const up = y > 0 ? out[at - row] : 0;
                const both = x >= channels && y > 0 ? out[at - row - channels] : 0;
                let guess = 0;
                switch (filter) {
                    case 1: guess = left; break;
                    case 2: guess = up; break;
                    case 3: guess = (left + up) >> 1; break;
                    case 4: guess = paeth(left, up, both); break;
                }
                out[at] = bytes[y * (row + 1) + 1 + x] + guess;
            }
        }
    }

    /// Returns red, green and blue of a pixel.
    at(x, y) {
        const at = (Math.round(y) * this.width + Math.round(x)) * this.channels;
        return [...this.bytes.subarray(at, at + 3)];
    }

    /// Returns the number of pixels in a rectangle for which `is` is true.
    count({ x, y, width, height }, is) {
        const { bytes, channels } = this;
        let found = 0;
        for (let row = Math.ceil(y); row < Math.min(y + height, this.height); row++) {
            for (let column = Math.ceil(x); column < Math.min(x + width, this.width); column++) {
                const at = (row * this.width + column) * channels;
                found += is(bytes[at], bytes[at + 1], bytes[at + 2]) ? 1 : 0;
            }
        }
        return found;
    }

    /// Returns the mean colour of a rectangle, which must lie within the image.
    mean({ x, y, width, height }) {
        const sum = [0, 0, 0];
        for (let row = y; row < y + height; row++) {
            for (let column = x; column < x + width; column++) {
                const at = (row * this.width + column) * this.channels;
                sum.forEach((_, channel) => (sum[channel] += this.bytes[at + channel]));
            }
        }
        return sum.map((all) => all / (width * height));
    }

    /// Returns the number of different colours. A blank image has one.
    colours() {
        const seen = new Set();
        for (let at = 0; at < this.bytes.length; at += this.channels) {
            seen.add(this.bytes.readUIntBE(at, 3));
        }
        return seen.size;
    }

    /// Returns the number of pixels that differ visibly from another image of the same size.
    differs(other) {
        assert.deepEqual([other.width, other.height], [this.width, this.height]);
        let found = 0;
        for (let [one, two] = [0, 0]; one < this.bytes.length; one += this.channels, two += other.channels) {
            const far = (channel) => Math.abs(this.bytes[one + channel] - other.bytes[two + channel]) > 8;
            found += far(0) || far(1) || far(2) ? 1 : 0;
        }
        return found;
    }
}

function paeth(left, up, both) {
    const a = Math.abs(up - both), b = Math.abs(left - both), c = Math.abs(left + up - 2 * both);
    return a <= b && a <= c ? left : b <= c ? up : both;
}

/// Returns true for the colour of a capsule whose task has just run.
export const isRed = (red, green, blue) => red > 170 && green < 110 && blue < 100;
