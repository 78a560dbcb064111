package palyra.keys.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.bouncycastle.math.ec.rfc8032.Ed25519.PublicPoint;
import org.junit.jupiter.api.Test;
import palyra.shared.sign.Ed25519Verifier;

/**
 * The fast code and the JDK's, which verifies offline, against the standard and against each other:
 * whatever one takes the other takes.
 */
class Ed25519Test {
    private static final byte[] MESSAGE = "a message".getBytes(StandardCharsets.UTF_8);
    private static final byte[] SEED = new byte[32];
    private static final byte[] PUBLIC = Ed25519.publicHalf(SEED);
    private static final BigInteger SECRET = Curve.scalar(SEED);
    private static final BigInteger NONCE = new BigInteger("31415926535897932384626433");

    /** RFC 8032, 7.1: seed, public key, message, signature. */
    private static final String[][] VECTORS = {
        {
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc6"
                    + "1e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        },
        {
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e45"
                    + "8f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        },
        {
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae"
                    + "67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        },
        {
            "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
            "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836"
                    + "ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfd"
                    + "fbc7c66431e0303dca179c138ac17ad9bef1177331a704"
        },
    };

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    /** Returns what both say, after making sure that it is the same. */
    private static boolean verifies(byte[] publicKey, byte[] message, byte[] signature) {
        boolean fast = fast(publicKey, message, signature);
        assertEquals(fast, offline(publicKey, message, signature), "the two do not agree");
        return fast;
    }

    private static boolean fast(byte[] publicKey, byte[] message, byte[] signature) {
        try {
            return Ed25519.verify(Ed25519.point(publicKey), message, signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static boolean offline(byte[] publicKey, byte[] message, byte[] signature) {
        try {
            return Ed25519Verifier.of(publicKey).verify(message, signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static byte[] signedByJdk(byte[] seed, byte[] message) throws Exception {
        byte[] encoded = new byte[48];
        System.arraycopy(hex("302e020100300506032b657004220420"), 0, encoded, 0, 16);
        System.arraycopy(seed, 0, encoded, 16, 32);
        Signature signer = Signature.getInstance("Ed25519");
        signer.initSign(
                KeyFactory.getInstance("Ed25519")
                        .generatePrivate(new PKCS8EncodedKeySpec(encoded)));
        signer.update(message);
        return signer.sign();
    }

    @Test
    void agreesWithTheVectorsOfTheStandard() {
        for (String[] vector : VECTORS) {
            byte[] seed = hex(vector[0]);
            byte[] publicKey = hex(vector[1]);
            byte[] message = hex(vector[2]);
            byte[] signature = hex(vector[3]);
            assertArrayEquals(publicKey, Ed25519.publicHalf(seed));
            assertArrayEquals(signature, Ed25519.sign(seed, publicKey, message));
            assertTrue(verifies(publicKey, message, signature));
        }
    }

    @Test
    void whatOneSignsTheOtherVerifiesOverAThousandRandomMessages() throws Exception {
        Random random = new Random(8032);
        for (int key = 0; key < 50; key++) {
            byte[] seed = new byte[32];
            random.nextBytes(seed);
            byte[] publicKey = Ed25519.publicHalf(seed);
            PublicPoint fast = Ed25519.point(publicKey);
            Ed25519Verifier offline = Ed25519Verifier.of(publicKey);
            for (int i = 0; i < 20; i++) {
                byte[] message = new byte[random.nextInt(300)];
                random.nextBytes(message);
                byte[] ours = Ed25519.sign(seed, publicKey, message);
                byte[] theirs = signedByJdk(seed, message);
                assertArrayEquals(theirs, ours);
                assertTrue(offline.verify(message, ours));
                assertTrue(Ed25519.verify(fast, message, theirs));
            }
        }
    }

    @Test
    void aSignatureOfSomethingElseIsRefused() {
        byte[] signature = Ed25519.sign(SEED, PUBLIC, MESSAGE);
        byte[] otherKey = Ed25519.publicHalf(Arrays.copyOf(MESSAGE, 32));
        assertTrue(verifies(PUBLIC, MESSAGE, signature));
        assertFalse(verifies(PUBLIC, new byte[0], signature));
        assertFalse(verifies(otherKey, MESSAGE, signature));
    }

    @Test
    void bitsAllOverASignatureCount() {
        byte[] signature = Ed25519.sign(SEED, PUBLIC, MESSAGE);
        assertTrue(verifies(PUBLIC, MESSAGE, signature));
        for (int bit = 0; bit < 512; bit += 5) {
            byte[] bent = signature.clone();
            bent[bit / 8] ^= (byte) (1 << (bit % 8));
            assertFalse(verifies(PUBLIC, MESSAGE, bent), "bit " + bit);
        }
    }

    @Test
    void aSignatureOfAnotherLengthIsRefused() {
        byte[] signature = Ed25519.sign(SEED, PUBLIC, MESSAGE);
        for (int length : new int[] {0, 1, 32, 63, 65, 128}) {
            assertFalse(verifies(PUBLIC, MESSAGE, Arrays.copyOf(signature, length)), "" + length);
        }
        assertFalse(verifies(PUBLIC, MESSAGE, new byte[64]));
    }

    @Test
    void aSecondFormOfTheSameSIsRefused() {
        byte[] signature = Ed25519.sign(SEED, PUBLIC, MESSAGE);
        byte[] r = Arrays.copyOf(signature, 32);
        BigInteger s = Curve.number(Arrays.copyOfRange(signature, 32, 64));
        assertTrue(s.compareTo(Curve.ORDER) < 0);
        for (int times = 1; times < 16; times++) {
            BigInteger more = s.add(Curve.ORDER.multiply(BigInteger.valueOf(times)));
            if (more.bitLength() <= 256) {
                byte[] other = Curve.join(r, Curve.littleEndian(more));
                assertFalse(verifies(PUBLIC, MESSAGE, other), "S + " + times + " L");
            }
        }
    }

    /** Only who has the key can make these; the JDK refuses them, the library alone would not. */
    @Test
    void anRThatIsOffByAPointOfSmallOrderIsRefused() {
        Curve r = Curve.BASE.times(NONCE);
        assertTrue(
                verifies(PUBLIC, MESSAGE, signedWith(r.encoded())), "without it all is as it is");
        Curve small = Curve.ofOrderEight();
        for (int i = 1; i < 8; i++) {
            Curve off = r.plus(small.times(BigInteger.valueOf(i)));
            byte[] signature = signedWith(off.encoded());
            assertFalse(verifies(PUBLIC, MESSAGE, signature), "off by " + i);
            assertTrue(
                    org.bouncycastle.math.ec.rfc8032.Ed25519.verify(
                            signature, 0, PUBLIC, 0, MESSAGE, 0, MESSAGE.length),
                    "the library takes it by itself");
        }
    }

    private static byte[] signedWith(byte[] r) {
        return Curve.sign(r, NONCE, SECRET, PUBLIC, MESSAGE);
    }

    /** The neutral point as R says that the nonce was zero, which gives the key away. */
    @Test
    void aNeutralRIsRefusedInEveryEncoding() {
        for (BigInteger y : new BigInteger[] {BigInteger.ONE, Curve.P.add(BigInteger.ONE)}) {
            for (boolean odd : new boolean[] {false, true}) {
                byte[] signature =
                        Curve.sign(Curve.encoded(y, odd), BigInteger.ZERO, SECRET, PUBLIC, MESSAGE);
                assertFalse(verifies(PUBLIC, MESSAGE, signature), y + " " + odd);
            }
        }
    }

    /** With such a key one signature can be right for any message. */
    @Test
    void aKeyOfSmallOrderIsRefused() {
        Curve small = Curve.ofOrderEight();
        byte[] r = Curve.BASE.times(NONCE).encoded();
        byte[] anyMessage = Curve.join(r, Curve.littleEndian(NONCE));
        for (int i = 0; i < 8; i++) {
            Curve point = small.times(BigInteger.valueOf(i));
            requireRefused(point.encoded());
            requireRefused(Curve.encoded(point.y(), !point.x().testBit(0)));
            for (int m = 0; m < 20; m++) {
                assertFalse(verifies(point.encoded(), new byte[] {(byte) m}, anyMessage));
            }
        }
    }

    @Test
    void aKeyOffByAPointOfSmallOrderIsRefused() {
        Curve key = Curve.BASE.times(SECRET);
        assertArrayEquals(PUBLIC, key.encoded());
        Curve small = Curve.ofOrderEight();
        byte[] r = Curve.BASE.times(NONCE).encoded();
        for (int i = 1; i < 8; i++) {
            byte[] off = key.plus(small.times(BigInteger.valueOf(i))).encoded();
            requireRefused(off);
            for (int m = 0; m < 20; m++) {
                byte[] message = {(byte) m};
                assertFalse(verifies(off, message, Curve.sign(r, NONCE, SECRET, off, message)));
            }
        }
    }

    @Test
    void aKeyThatIsEncodedInASecondWayIsRefused() {
        for (int y = 0; y < 19; y++) {
            BigInteger second = Curve.P.add(BigInteger.valueOf(y));
            requireRefused(Curve.encoded(second, false));
            requireRefused(Curve.encoded(second, true));
        }
    }

    @Test
    void aKeyOfAnotherLengthIsRefused() {
        for (int length : new int[] {0, 31, 33, 64}) {
            requireRefused(Arrays.copyOf(PUBLIC, length));
        }
    }

    @Test
    void bothTakeTheSameKeys() throws Exception {
        Random random = new Random(25519);
        int taken = 0;
        for (int i = 0; i < 300; i++) {
            byte[] key = new byte[32];
            random.nextBytes(key);
            boolean fast = takes(() -> Ed25519.point(key));
            assertEquals(takes(() -> Ed25519Verifier.of(key)), fast, "key " + i);
            taken += fast ? 1 : 0;
        }
        assertTrue(taken > 0, "a sixteenth of all strings are keys");
        assertTrue(taken < 100, "and most are none");
    }

    private interface Parser {
        Object parse() throws GeneralSecurityException;
    }

    private static boolean takes(Parser parser) {
        try {
            return parser.parse() != null;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static void requireRefused(byte[] key) {
        assertThrows(GeneralSecurityException.class, () -> Ed25519.point(key));
        assertThrows(GeneralSecurityException.class, () -> Ed25519Verifier.of(key));
    }

    @Test
    void aFreshPairSignsForItselfAndShowsNoSeed() {
        Ed25519.RawPair pair = Ed25519.generate(new SecureRandom());
        byte[] signature = Ed25519.sign(pair.seed(), pair.publicKey(), MESSAGE);
        assertTrue(verifies(pair.publicKey(), MESSAGE, signature));
        assertFalse(pair.toString().contains(HexFormat.of().formatHex(pair.seed())));
    }
}
