package palyra.shared.sign;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** What it refuses beyond this is tested in palyra.keys, beside the code that signs. */
class Ed25519VerifierTest {
    // RFC 8032, 7.1, test 2
    private static final byte[] KEY =
            hex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
    private static final byte[] MESSAGE = {0x72};
    private static final byte[] SIGNATURE =
            hex(
                    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                            + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    @Test
    void verifiesTheStandardsSignatureAndNothingElse() throws Exception {
        Ed25519Verifier verifier = Ed25519Verifier.of(KEY);
        assertTrue(verifier.verify(MESSAGE, SIGNATURE));
        assertFalse(verifier.verify(new byte[0], SIGNATURE));
        assertFalse(verifier.verify(MESSAGE, Arrays.copyOf(SIGNATURE, 63)));
        assertFalse(verifier.verify(MESSAGE, Arrays.copyOf(SIGNATURE, 65)));
        byte[] bent = SIGNATURE.clone();
        bent[40] ^= 1;
        assertFalse(verifier.verify(MESSAGE, bent));
    }

    @Test
    void refusesWhatIsNoKey() {
        for (String key :
                new String[] {
                    "",
                    "3d4017c3",
                    "0100000000000000000000000000000000000000000000000000000000000000", // neutral
                    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // order 2
                    "0000000000000000000000000000000000000000000000000000000000000000", // order 4
                    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", // order 8
                    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // y ≥ p
                    "0200000000000000000000000000000000000000000000000000000000000000", // no point
                }) {
            assertThrows(GeneralSecurityException.class, () -> Ed25519Verifier.of(hex(key)), key);
        }
    }
}
