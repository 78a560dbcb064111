package palyra.bench.vault;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * What a put and a use of a secret take, by the number of secrets that the vault keeps. Both stand
 * in the journal before they return, which a raw write and a plain decryption do not.
 */
public final class VaultSuite implements Suite {
    private static final int[] SIZES = {10, 1_000, 10_000};
    private static final int VALUE_BYTES = 64;
    private static final int PUTS = 50;
    private static final int GETS = 200;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecureRandom random = new SecureRandom();
    private final Random choice = new Random(7);

    /** One thing that is done again and again. */
    private interface Step {
        void take(int number) throws Exception;
    }

    @Override
    public String name() {
        return "vault";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("vault");
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        try (BenchVault vault = new BenchVault(folder.resolve("state"));
                FileChannel raw =
                        FileChannel.open(
                                folder.resolve("raw"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE)) {
            for (int size : SIZES) {
                vault.fill(size, value);
                Plain plain = new Plain(random, value);
                List<Latencies> puts = new ArrayList<>();
                List<Latencies> writes = new ArrayList<>();
                List<Latencies> gets = new ArrayList<>();
                List<Latencies> decryptions = new ArrayList<>();
                for (int run = -1; run < setting.runs(); run++) { // the one before 0 warms up
                    keep(run, writes, times(PUTS, size, number -> write(raw, value)));
                    keep(run, puts, times(PUTS, size, number -> vault.put(number, value)));
                    keep(run, decryptions, times(GETS, size, number -> plain.open()));
                    keep(run, gets, times(GETS, size, vault::get));
                }
                report.add(figure("put", size, puts, "a raw write and sync", writes));
                report.add(figure("get", size, gets, "AES-256-GCM of the JDK", decryptions));
            }
        }
        Setting.delete(folder);
    }

    private static void keep(int run, List<Latencies> all, Latencies one) {
        if (run >= 0) {
            all.add(one);
        }
    }

    private Latencies times(int count, int size, Step step) throws Exception {
        Latencies latencies = new Latencies();
        for (int i = 0; i < count; i++) {
            int number = choice.nextInt(size);
            long begun = System.nanoTime();
            step.take(number);
            latencies.add(System.nanoTime() - begun);
        }
        return latencies;
    }

    private static void write(FileChannel raw, byte[] value) throws IOException {
        raw.write(ByteBuffer.wrap(value));
        raw.force(false);
    }

    private static Figure figure(
            String what, int size, List<Latencies> ours, String peer, List<Latencies> theirs) {
        return new Figure(
                "vault." + what + "-" + size,
                new Measure("µs", ours.stream().map(run -> run.micros(50)).toList()),
                peer,
                new Measure("µs", theirs.stream().map(run -> run.micros(50)).toList()),
                new Goal.None());
    }

    /** A value under a key, as nobody keeps it. */
    private static final class Plain {
        private final SecretKey key;
        private final byte[] nonce = new byte[NONCE_BYTES];
        private final byte[] sealed;

        Plain(SecureRandom random, byte[] value) throws GeneralSecurityException {
            byte[] bytes = new byte[32];
            random.nextBytes(bytes);
            random.nextBytes(nonce);
            key = new SecretKeySpec(bytes, "AES");
            sealed = cipher(Cipher.ENCRYPT_MODE).doFinal(value);
        }

        private Cipher cipher(int mode) throws GeneralSecurityException {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher;
        }

        void open() throws GeneralSecurityException {
            cipher(Cipher.DECRYPT_MODE).doFinal(sealed);
        }
    }
}
