package palyra.vault.internal.key;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * The key chain of the system, by its own program: {@code secret-tool} of libsecret (Secret
 * Service) or {@code security} of macOS. Keys go by standard input and output, never as arguments.
 */
final class Keychain {
    private static final int MOST_BYTES = 1_024;

    private final String program;
    private final String service;
    private final boolean mac;
    private final long timeoutMillis;

    /**
     * Creates it.
     *
     * @param program path of the program
     * @param service under which keys are filed
     * @param mac whether the program is {@code security} of macOS
     * @param timeoutMillis how long it may take, for a person may have to unlock the chain
     */
    Keychain(String program, String service, boolean mac, long timeoutMillis) {
        this.program = program;
        this.service = service;
        this.mac = mac;
        this.timeoutMillis = timeoutMillis;
    }

    String place() {
        return "the key chain's entry " + service;
    }

    /** Returns the text that is kept for an account, without its line end; empty for none. */
    Optional<byte[]> find(String account) throws IOException {
        List<String> command =
                mac
                        ? List.of(
                                program,
                                "find-generic-password",
                                "-s",
                                service,
                                "-a",
                                account,
                                "-w")
                        : List.of(program, "lookup", "service", service, "account", account);
        Ended ended = run(command, new byte[0]);
        byte[] text = PrivateFile.withoutLineEnd(ended.output());
        return ended.code() == 0 && text.length > 0 ? Optional.of(text) : Optional.empty();
    }

    /** Keeps a text of hexadecimal digits for an account, in place of an earlier one. */
    void store(String account, byte[] hex) throws IOException {
        byte[] before =
                mac
                        ? bytes("add-generic-password -U -s " + service + " -a " + account + " -w ")
                        : new byte[0];
        byte[] input = Arrays.copyOf(before, before.length + hex.length + (mac ? 1 : 0));
        System.arraycopy(hex, 0, input, before.length, hex.length);
        if (mac) {
            input[input.length - 1] = '\n';
        }
        List<String> command =
                mac
                        ? List.of(program, "-i")
                        : List.of(
                                program,
                                "store",
                                "--label=Palyra vault",
                                "service",
                                service,
                                "account",
                                account);
        try {
            require(run(command, input), "store");
        } finally {
            Arrays.fill(input, (byte) 0);
        }
    }

    /** Deletes the entry of an account, if any. */
    void forget(String account) throws IOException {
        run(
                mac
                        ? List.of(program, "delete-generic-password", "-s", service, "-a", account)
                        : List.of(program, "clear", "service", service, "account", account),
                new byte[0]);
    }

    private void require(Ended ended, String what) {
        if (ended.code() != 0) {
            throw refused(what + " ended with the code " + ended.code());
        }
    }

    private PalyraException refused(String found) {
        return new PalyraException(
                ErrorCode.KEYS_UNAVAILABLE,
                "The vault's key is kept in "
                        + place()
                        + ", and "
                        + program
                        + " "
                        + found
                        + ". Unlock the key chain for the gateway's user, or configure another"
                        + " keySource of palyra.vault.");
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Ended(int code, byte[] output) {}

    private Ended run(List<String> command, byte[] input) throws IOException {
        Process process =
                new ProcessBuilder(new ArrayList<>(command))
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        Thread clock = new Thread(() -> expire(process), "palyra-vault-keychain-clock");
        clock.setDaemon(true);
        clock.start();
        try {
            try (OutputStream to = process.getOutputStream()) {
                to.write(input);
            } catch (IOException e) {
                // It ended without reading; its code tells.
            }
            byte[] output = process.getInputStream().readNBytes(MOST_BYTES);
            return new Ended(process.waitFor(), output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refused("was interrupted");
        } finally {
            process.destroyForcibly();
            clock.interrupt();
        }
    }

    private void expire(Process process) {
        try {
            if (!process.waitFor(timeoutMillis, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it ended in time
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
