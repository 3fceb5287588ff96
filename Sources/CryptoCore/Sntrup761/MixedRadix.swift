/// The encoding of 761 numbers below a modulus that is not a power of two.
///
/// Neighbours are joined in pairs, and pairs again, until one number is left. A number writes its lowest byte to the
/// output whenever its modulus is 2^14 or more, so no number needs more than 28 bits.
struct MixedRadix {
    /// One round of joining. All numbers but the last have the same modulus; the last may have been without a pair
    /// before.
    private struct Layer {
        let count: Int
        let modulus: UInt32
        let lastModulus: UInt32

        /// Returns the modulus of the number at `index`.
        func modulus(_ index: Int) -> UInt32 {
            index == count - 1 ? lastModulus : modulus
        }

        /// Returns the number of bytes that the pair at `index` writes, and the modulus after them.
        func joined(_ index: Int) -> (bytes: Int, modulus: UInt32) {
            MixedRadix.shrunk(modulus(index) * modulus(index + 1), below: 1 << 14)
        }
    }

    private let layers: [Layer]
    /// The modulus of the last number.
    private let finalModulus: UInt32
    private let finalSize: Int
    /// The size of an encoding in bytes.
    let size: Int

    /// Creates the encoding of numbers below `modulus`, which is below 2^14.
    init(modulus: UInt32) {
        var layers: [Layer] = [], size = 0
        var layer = Layer(count: Polynomial.size, modulus: modulus, lastModulus: modulus)
        while layer.count > 1 {
            layers.append(layer)
            let lastPair = (layer.count - 2) & ~1, last = layer.joined(lastPair), isOdd = layer.count % 2 == 1
            let other = lastPair > 0 ? layer.joined(0) : last
            size += lastPair / 2 * other.bytes + last.bytes
            layer = Layer(
                count: (layer.count + 1) / 2, modulus: other.modulus,
                lastModulus: isOdd ? layer.lastModulus : last.modulus)
        }
        self.layers = layers
        finalModulus = layer.lastModulus
        finalSize = MixedRadix.shrunk(finalModulus, below: 2).bytes
        self.size = size + finalSize
    }

    /// Returns the number of bytes that a number below `modulus` writes until its modulus is below `limit`.
    private static func shrunk(_ modulus: UInt32, below limit: UInt32) -> (bytes: Int, modulus: UInt32) {
        var result = (bytes: 0, modulus: modulus)
        while result.modulus >= limit {
            result = (result.bytes + 1, (result.modulus + 255) >> 8)
        }
        return result
    }

    /// Encodes the numbers in constant time.
    func encode(_ number: (Int) -> UInt32) -> SecretArray<UInt8> {
        let output = SecretArray<UInt8>(repeating: 0, count: size)
        let numbers = SecretArray<UInt32>(repeating: 0, count: Polynomial.size)
        for index in 0..<Polynomial.size {
            numbers[index] = number(index)
        }
        var position = 0
        for layer in layers {
            for index in stride(from: 0, to: layer.count - 1, by: 2) {
                let pair = numbers[index] &+ numbers[index + 1] &* layer.modulus(index)
                numbers[index / 2] = MixedRadix.put(pair, layer.joined(index).bytes, into: output, &position)
            }
            if layer.count % 2 == 1 { numbers[layer.count / 2] = numbers[layer.count - 1] }
        }
        _ = MixedRadix.put(numbers[0], finalSize, into: output, &position)
        return output
    }

    /// Writes the lowest bytes of a number and returns its remaining part.
    private static func put(
        _ number: UInt32, _ bytes: Int, into output: borrowing SecretArray<UInt8>, _ position: inout Int
    ) -> UInt32 {
        var rest = number
        for _ in 0..<bytes {
            output[position] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
            position += 1
        }
        return rest
    }

    /// Decodes public numbers. Invalid encodings yield numbers too.
    func decode(_ bytes: ArraySlice<UInt8>) -> [UInt32] {
        precondition(bytes.count == size, "the size of an encoding is known")
        var position = bytes.endIndex
        func take(_ count: Int) -> UInt32 {
            position -= count
            return (0..<count).reduce(0) { $0 | UInt32(bytes[position + $1]) << UInt32(8 * $1) }
        }
        var numbers = [UInt32](repeating: 0, count: Polynomial.size)
        numbers[0] = take(finalSize) % finalModulus
        for layer in layers.reversed() {
            // From the end, because the numbers expand in place.
            if layer.count % 2 == 1 { numbers[layer.count - 1] = numbers[layer.count / 2] }
            for index in stride(from: (layer.count - 2) & ~1, through: 0, by: -2) {
                let size = layer.joined(index).bytes
                let pair = numbers[index / 2] << UInt32(8 * size) + take(size)
                numbers[index] = pair % layer.modulus(index)
                numbers[index + 1] = pair / layer.modulus(index) % layer.modulus(index + 1)
            }
        }
        return numbers
    }
}
