package palyra.backup.internal.restore;

import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.ExitCodes;
import palyra.backup.internal.archive.Manifest;
import palyra.backup.internal.archive.Passphrase;
import palyra.shared.files.DurableFiles;
import palyra.shared.files.MediumFailure;

/** {@code palyra restore FILE|-}: runs without a gateway. */
public final class RestoreMain {
    private final Path state;
    private final PrintStream err;

    private RestoreMain(Path state, PrintStream err) {
        this.state = state;
        this.err = err;
    }

    /**
     * Restores and exits.
     *
     * @param arguments the state folder, and the backup or {@code -}
     */
    public static void main(String[] arguments) {
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(
                new RestoreMain(Path.of(arguments[0]).toAbsolutePath().normalize(), err)
                        .run(arguments[1]));
    }

    private int run(String name) {
        try (InputStream in = name.equals("-") ? System.in : open(Path.of(name))) {
            Manifest manifest =
                    new Restore(state, new DurableFiles(), this::progress, this::say)
                            .from(in, passphrase(name.equals("-")));
            say(
                    "restored "
                            + (manifest.files().size() + manifest.payloadFiles())
                            + " files and "
                            + manifest.records()
                            + " records into "
                            + state
                            + ", each byte checked; next: palyra up, then palyra tape verify");
            return ExitCodes.OK;
        } catch (PalyraException e) {
            say(e.getMessage() + " Nothing was restored.");
            return ExitCodes.of(e.code());
        } catch (IOException | UncheckedIOException e) {
            say("The restoration failed: " + reason(e) + ". Nothing was restored.");
            return ExitCodes.FAILED;
        }
    }

    private static String reason(Exception e) {
        return MediumFailure.reason(e instanceof UncheckedIOException ? e.getCause() : e);
    }

    static InputStream open(Path file) {
        try {
            if (Files.isDirectory(file)) {
                throw new IOException("it is a folder");
            }
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "The backup " + file + " cannot be read: " + reason(e) + ".",
                    e);
        }
    }

    /** Typed unseen at a terminal, else the first line of standard input. */
    private static Supplier<byte[]> passphrase(boolean inputIsBackup) {
        return () -> {
            Console console = System.console();
            if (console != null && terminal("in")) {
                char[] typed = typed(console);
                return typed == null
                        ? new byte[0]
                        : new String(typed).getBytes(StandardCharsets.UTF_8);
            }
            if (inputIsBackup) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "The backup is encrypted and standard input is the backup: name the file,"
                                + " and give the passphrase on standard input.");
            }
            try {
                return Passphrase.firstLine(System.in);
            } catch (IOException e) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "Standard input gave no passphrase: " + reason(e) + ".",
                        e);
            }
        };
    }

    /** Ctrl-C ends this process: the hook is all that still runs. */
    private static char[] typed(Console console) {
        Thread cancelled =
                new Thread(() -> System.err.println("\ncancelled"), "palyra-restore-cancelled");
        Runtime.getRuntime().addShutdownHook(cancelled);
        try {
            return console.readPassword("Passphrase (it is not shown): ");
        } finally {
            Runtime.getRuntime().removeShutdownHook(cancelled);
        }
    }

    /** The start script says which standard streams are terminals. */
    private static boolean terminal(String stream) {
        return List.of(System.getProperty("palyra.tty", "").split(",")).contains(stream);
    }

    private void progress(String text) {
        if (terminal("err")) {
            err.print("\r\u001b[K" + text);
            err.flush();
        }
    }

    private void say(String text) {
        progress("");
        err.println("palyra: " + text);
    }
}
