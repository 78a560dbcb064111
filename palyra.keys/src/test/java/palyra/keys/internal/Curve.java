package palyra.keys.internal;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.stream.Stream;

/** A point of edwards25519 in plain arithmetic, for signatures that no signer would make. */
record Curve(BigInteger x, BigInteger y) {
    static final BigInteger P = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
    static final BigInteger ORDER =
            BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
    static final BigInteger EIGHT = BigInteger.valueOf(8);
    static final Curve NEUTRAL = new Curve(BigInteger.ZERO, BigInteger.ONE);
    private static final BigInteger D =
            BigInteger.valueOf(-121665).multiply(BigInteger.valueOf(121666).modInverse(P)).mod(P);
    static final Curve BASE =
            atY(BigInteger.valueOf(4).multiply(BigInteger.valueOf(5).modInverse(P)).mod(P));

    /** Returns the point of that y with an even x; null when there is none. */
    static Curve atY(BigInteger y) {
        BigInteger square = y.multiply(y).mod(P);
        BigInteger xx =
                square.subtract(BigInteger.ONE)
                        .multiply(D.multiply(square).add(BigInteger.ONE).modInverse(P))
                        .mod(P);
        BigInteger x = xx.modPow(P.add(BigInteger.valueOf(3)).shiftRight(3), P);
        if (!x.multiply(x).mod(P).equals(xx)) {
            x =
                    x.multiply(BigInteger.TWO.modPow(P.subtract(BigInteger.ONE).shiftRight(2), P))
                            .mod(P);
        }
        if (!x.multiply(x).mod(P).equals(xx)) {
            return null;
        }
        return new Curve(x.testBit(0) ? P.subtract(x) : x, y);
    }

    /** Returns a point of order 8. */
    static Curve ofOrderEight() {
        return Stream.iterate(BigInteger.TWO, BigInteger.ONE::add)
                .map(Curve::atY)
                .filter(point -> point != null)
                .map(point -> point.times(ORDER))
                .filter(point -> !point.times(BigInteger.valueOf(4)).equals(NEUTRAL))
                .findFirst()
                .orElseThrow();
    }

    Curve plus(Curve o) {
        BigInteger t = D.multiply(x).multiply(o.x).multiply(y).multiply(o.y).mod(P);
        BigInteger nx = x.multiply(o.y).add(y.multiply(o.x));
        BigInteger ny = y.multiply(o.y).add(x.multiply(o.x));
        return new Curve(
                nx.multiply(BigInteger.ONE.add(t).modInverse(P)).mod(P),
                ny.multiply(BigInteger.ONE.subtract(t).modInverse(P)).mod(P));
    }

    Curve times(BigInteger factor) {
        Curve sum = NEUTRAL;
        for (int bit = factor.bitLength() - 1; bit >= 0; bit--) {
            sum = sum.plus(sum);
            if (factor.testBit(bit)) {
                sum = sum.plus(this);
            }
        }
        return sum;
    }

    byte[] encoded() {
        return encoded(y, x.testBit(0));
    }

    static byte[] encoded(BigInteger y, boolean odd) {
        byte[] bytes = littleEndian(y);
        if (odd) {
            bytes[31] |= (byte) 0x80;
        }
        return bytes;
    }

    static byte[] littleEndian(BigInteger value) {
        byte[] bytes = new byte[32];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = value.shiftRight(8 * i).byteValue();
        }
        return bytes;
    }

    static BigInteger number(byte[] littleEndian) {
        byte[] bytes = new byte[littleEndian.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = littleEndian[bytes.length - 1 - i];
        }
        return new BigInteger(1, bytes);
    }

    /** Returns the secret scalar of a seed. */
    static BigInteger scalar(byte[] seed) {
        byte[] half = Arrays.copyOf(sha512(seed), 32);
        half[0] &= (byte) 0xf8;
        half[31] &= 0x7f;
        half[31] |= 0x40;
        return number(half);
    }

    /**
     * Signs as RFC 8032 says, but with an {@code R} of one's own: {@code S = nonce + k · secret}.
     */
    static byte[] sign(
            byte[] r, BigInteger nonce, BigInteger secret, byte[] publicKey, byte[] message) {
        BigInteger k = number(sha512(r, publicKey, message)).mod(ORDER);
        return join(r, littleEndian(nonce.add(k.multiply(secret)).mod(ORDER)));
    }

    static byte[] join(byte[] r, byte[] s) {
        byte[] joined = Arrays.copyOf(r, 64);
        System.arraycopy(s, 0, joined, 32, 32);
        return joined;
    }

    private static byte[] sha512(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-512");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
