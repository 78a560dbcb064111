package palyra.shared.sign;

import java.math.BigInteger;

/**
 * Points of edwards25519 (RFC 8032, 5.1), as far as the JDK gives no answer about them: whether an
 * encoding is the only one of its point, and whether the point generates the prime-order subgroup.
 * For public values alone, its time depends on them; about a millisecond a point.
 */
record EdwardsPoint(BigInteger x, BigInteger y, BigInteger z, BigInteger t) {
    private static final int LENGTH = 32;
    private static final BigInteger P = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
    private static final BigInteger ORDER =
            BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
    private static final BigInteger D =
            mod(BigInteger.valueOf(-121665).multiply(BigInteger.valueOf(121666).modInverse(P)));
    private static final BigInteger ROOT_OF_MINUS_ONE =
            BigInteger.TWO.modPow(P.subtract(BigInteger.ONE).shiftRight(2), P);
    private static final EdwardsPoint NEUTRAL =
            new EdwardsPoint(BigInteger.ZERO, BigInteger.ONE, BigInteger.ONE, BigInteger.ZERO);

    private static BigInteger mod(BigInteger value) {
        return value.mod(P);
    }

    /**
     * Returns whether the first 32 bytes encode an y below the prime, as one encoding of it does.
     */
    static boolean isCanonical(byte[] encoded) {
        return encodedY(encoded).compareTo(P) < 0;
    }

    /**
     * Returns whether the first 32 bytes are an encoding, with either sign, of the neutral point.
     */
    static boolean isNeutral(byte[] encoded) {
        return encodedY(encoded).equals(BigInteger.ONE);
    }

    /** Returns whether the bytes are the canonical encoding of a generator of the subgroup. */
    static boolean isOfPrimeOrder(byte[] encoded) {
        EdwardsPoint point = isCanonical(encoded) ? decode(encoded) : null;
        return point != null && !point.isNeutral() && point.times(ORDER).isNeutral();
    }

    private static BigInteger encodedY(byte[] encoded) {
        byte[] bigEndian = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            bigEndian[i] = encoded[LENGTH - 1 - i];
        }
        bigEndian[0] &= 0x7f;
        return new BigInteger(1, bigEndian);
    }

    /** Returns the point, or null when no point has that y and sign. */
    private static EdwardsPoint decode(byte[] encoded) {
        BigInteger y = encodedY(encoded);
        BigInteger ySquared = mod(y.multiply(y));
        BigInteger xSquared =
                mod(
                        ySquared.subtract(BigInteger.ONE)
                                .multiply(D.multiply(ySquared).add(BigInteger.ONE).modInverse(P)));
        BigInteger x = root(xSquared);
        boolean odd = (encoded[LENGTH - 1] & 0x80) != 0;
        if (x == null || (x.signum() == 0 && odd)) {
            return null;
        }
        BigInteger signed = x.testBit(0) == odd ? x : P.subtract(x);
        return new EdwardsPoint(signed, y, BigInteger.ONE, mod(signed.multiply(y)));
    }

    private static BigInteger root(BigInteger square) {
        BigInteger root = square.modPow(P.add(BigInteger.valueOf(3)).shiftRight(3), P);
        if (!mod(root.multiply(root)).equals(square)) {
            root = mod(root.multiply(ROOT_OF_MINUS_ONE));
        }
        return mod(root.multiply(root)).equals(square) ? root : null;
    }

    private EdwardsPoint times(BigInteger factor) {
        EdwardsPoint sum = NEUTRAL;
        for (int bit = factor.bitLength() - 1; bit >= 0; bit--) {
            sum = sum.plus(sum);
            if (factor.testBit(bit)) {
                sum = sum.plus(this);
            }
        }
        return sum;
    }

    /** Adds, in extended coordinates: the formula of RFC 8032, 5.1.4, which is complete. */
    private EdwardsPoint plus(EdwardsPoint o) {
        BigInteger a = mod(y.subtract(x).multiply(o.y.subtract(o.x)));
        BigInteger b = mod(y.add(x).multiply(o.y.add(o.x)));
        BigInteger c = mod(t.multiply(o.t).multiply(D).shiftLeft(1));
        BigInteger d = mod(z.multiply(o.z).shiftLeft(1));
        BigInteger e = b.subtract(a);
        BigInteger f = d.subtract(c);
        BigInteger g = d.add(c);
        BigInteger h = b.add(a);
        return new EdwardsPoint(
                mod(e.multiply(f)), mod(g.multiply(h)), mod(f.multiply(g)), mod(e.multiply(h)));
    }

    private boolean isNeutral() {
        return x.signum() == 0 && y.equals(z);
    }
}
