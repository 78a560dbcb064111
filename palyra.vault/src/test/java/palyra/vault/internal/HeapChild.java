package palyra.vault.internal;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Random;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretRef;
import palyra.testing.journal.MemoryJournal;

/** Uses a secret in every way, then writes its heap to a file. */
final class HeapChild {
    private HeapChild() {}

    private static Object held;

    /** Builds the value byte by byte, so that no constant of the class holds it. */
    static byte[] value(long seed) {
        Random random = new Random(seed);
        byte[] value = new byte[40];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) ('a' + random.nextInt(26));
        }
        return value;
    }

    public static void main(String[] arguments) throws Exception {
        Path state = Path.of(arguments[0]);
        boolean hold = arguments[1].equals("hold");
        MemoryJournal journal = new MemoryJournal();
        VaultFixture house = new VaultFixture(state, journal);
        house.put("global/a", value(1));
        SecretRef ref = SecretRef.parse("global/a");
        for (int i = 0; i < 50; i++) {
            try (Secret secret =
                    house.core.get(VaultFixture.permit("vault.get", ref.resource()), ref)) {
                int sum = secret.use(bytes -> bytes.length);
                if (sum != 40) {
                    throw new IllegalStateException("wrong length");
                }
            }
        }
        house.rotate();
        house.core.learn(ref);
        house.put("global/b", value(1));
        house.delete("global/b");
        if (hold) {
            held = value(1);
        }
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpHeap(state.resolve("dump.hprof").toString(), false);
        System.out.println(held != null);
        house.close();
    }
}
