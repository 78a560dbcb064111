package palyra.testing.wasm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.shared.wasm.Admitted;

/** Whatever bytes come, there is a verdict; what is admitted stays valid when it is metered. */
class AdmissionFuzzTest {
    private static final AdmissionRules RULES = AdmissionRules.closed(AdmissionLimits.DEFAULTS);
    private static final int MUTANTS = 12_000;
    private static final int[] INTERESTING = {
        0, 1, 2, 3, 4, 5, 0x0B, 0x0C, 0x0E, 0x10, 0x11, 0x40, 0x7F, 0x80, 0xFC, 0xFF
    };

    @Test
    void mutantsOfModulesGetAVerdict() {
        Random random = new Random(20_260_801);
        List<CorpusModule> corpus = CorpusModules.all();
        int admitted = 0;
        for (int i = 0; i < MUTANTS; i++) {
            byte[] bytes = corpus.get(random.nextInt(corpus.size())).bytes();
            admitted += judge(mutant(bytes, random)) ? 1 : 0;
        }
        int some = admitted;
        assertTrue(some > MUTANTS / 100, () -> "only " + some + " mutants were admitted");
        assertTrue(some < MUTANTS, "not all mutants were admitted");
    }

    private static boolean judge(byte[] bytes) {
        Admitted verdict = Admission.admit(bytes, RULES);
        verdict.module()
                .ifPresent(
                        module ->
                                assertEquals(
                                        List.of(),
                                        Admission.validate(
                                                module.bytes(), CorpusMeteringTest.METERED)));
        return verdict.ok();
    }

    private static byte[] mutant(byte[] bytes, Random random) {
        byte[] mutant = bytes.length > 4_000 ? Arrays.copyOf(bytes, 4_000) : bytes.clone();
        if (random.nextInt(10) == 0) {
            return Arrays.copyOf(mutant, random.nextInt(mutant.length));
        }
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = 8 + random.nextInt(mutant.length - 8);
            mutant[at] =
                    switch (random.nextInt(4)) {
                        case 0 -> (byte) (mutant[at] ^ 1 << random.nextInt(8));
                        case 1 -> (byte) random.nextInt(256);
                        case 2 -> mutant[8 + random.nextInt(mutant.length - 8)];
                        default -> (byte) INTERESTING[random.nextInt(INTERESTING.length)];
                    };
        }
        return mutant;
    }

    @Test
    void bytesWithoutSenseGetAVerdict() {
        Random random = new Random(7);
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = new byte[8 + random.nextInt(200)];
            random.nextBytes(bytes);
            System.arraycopy(new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0}, 0, bytes, 0, 8);
            judge(bytes);
        }
    }
}
