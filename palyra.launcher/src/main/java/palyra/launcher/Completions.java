package palyra.launcher;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Gets completions from the gateway's command {@code completion}, with a short timeout. */
final class Completions implements EditedLines.Completer {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int LIMIT_BYTES = 256 * 1024;

    private final Client client;

    Completions(Client client) {
        this.client = client;
    }

    /** Empty when the gateway does not answer in time. */
    @Override
    public List<String> apply(List<String> words) {
        if (words.get(0).equals("|")) {
            // The prompt itself handles the words after |; see Grep.
            return words.size() == 2 ? List.of("grep") : List.of();
        }
        List<String> argv = new ArrayList<>(List.of("completion", "--"));
        argv.addAll(words);
        Answer answer = new Answer();
        Client.Output output =
                new Client.Output(
                        answer,
                        OutputStream.nullOutputStream(),
                        new Terminal(false, false, false),
                        Duration.ZERO);
        return client.run(argv, Completions::noInput, output) == 0 ? answer.lines() : List.of();
    }

    /** The command gets the time that it has, and reads no input. */
    private static AutoCloseable noInput(Invocation invocation) {
        Thread guard = new Thread(() -> endLater(invocation), "palyra-completion-guard");
        guard.setDaemon(true);
        guard.start();
        return guard::interrupt;
    }

    private static void endLater(Invocation invocation) {
        try {
            Thread.sleep(PATIENCE);
            invocation.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Bounded: a terminal could not show more anyway. */
    private static final class Answer extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public void write(int b) throws IOException {
            if (bytes.size() >= LIMIT_BYTES) {
                throw new IOException("more than " + LIMIT_BYTES + " bytes of completions");
            }
            bytes.write(b);
        }

        List<String> lines() {
            return bytes.toString(StandardCharsets.UTF_8).lines().toList();
        }
    }
}
