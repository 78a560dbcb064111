package palyra.testing.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.OutboundMessage;

/** A secret goes to the platform and nowhere else. */
interface SecretRules extends ConnectorRules {
    /**
     * No secret is in what the connector logs, says or keeps, also when everything fails. Logs are
     * what reaches {@code java.util.logging} and the streams of the process: let the tests have an
     * SLF4J binding that writes there.
     */
    @Test
    default void secretsGoNowhere() {
        assumeFalse(stage().fixture().secrets().isEmpty(), "the connector has no secret");
        try (Listening listening = new Listening()) {
            live(listening);
            String said = listening.said();
            for (String secret : stage().context().secretValues()) {
                for (String form : forms(secret)) {
                    int at = said.indexOf(form);
                    assertEquals(-1, at, () -> "a secret got out: " + around(said, at, form));
                }
            }
        }
    }

    private static String around(String said, int at, String form) {
        return said.substring(Math.max(0, at - 120), at)
                + "<the secret>"
                + said.substring(at + form.length(), Math.min(said.length(), at + 120));
    }

    private static List<String> forms(String secret) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        return List.of(
                secret,
                URLEncoder.encode(secret, StandardCharsets.UTF_8),
                Base64.getEncoder().withoutPadding().encodeToString(bytes));
    }

    /** All that can happen to a connector. */
    private void live(Listening listening) {
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        for (SendFault fault : stage().fixture().faults()) {
            if (fault != SendFault.STALLED) {
                stage().fixture().fail(fault);
                trySend(listening, stage().message(anna, "answer " + fault.ordinal()));
                stage().fixture().recover();
            }
        }
        stage().context().fail(FakeConnectorContext.AcceptFault.REFUSED);
        stage().fixture().write(ANNA, "refused once");
        stage().awaitStored(2);
        stage().fixture().breakConnection();
        trySend(listening, stage().message(anna, "an answer"));
        hearTrouble(listening);
        stage().prepareNextLife();
        stage().start();
        hearTrouble(listening);
        stage().fixture().mendConnection();
        stage().awaitState(State.READY);
        listening.hear(stage().connector());
        listening.hear(stage().connector().id());
        listening.hear(stage().context().handedIn());
        stage().context()
                .keptPosition()
                .ifPresent(kept -> listening.hear(new String(kept, StandardCharsets.UTF_8)));
        listening.hear(stage().threads());
        stage().stop();
    }

    private void hearTrouble(Listening listening) {
        stage().until("a reason", () -> !stage().status().reason().isEmpty());
        listening.hear(stage().connector().status());
    }

    private void trySend(Listening listening, OutboundMessage message) {
        try {
            listening.hear(stage().send(message));
            listening.hear(stage().connector().lookup(message));
        } catch (AssertionError | RuntimeException e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            listening.hear(trace);
        }
        listening.hear(stage().connector().status());
    }

    /** Keeps what is logged and printed. */
    final class Listening extends Handler implements AutoCloseable {
        private final List<String> heard = new ArrayList<>();
        private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        private final PrintStream out = System.out;
        private final PrintStream err = System.err;
        private final Logger root = Logger.getLogger("");
        private final Level before = root.getLevel();

        Listening() {
            root.setLevel(Level.ALL);
            root.addHandler(this);
            System.setOut(new PrintStream(new Both(out, printed), true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(new Both(err, printed), true, StandardCharsets.UTF_8));
        }

        private static final class Both extends OutputStream {
            private final OutputStream one;
            private final OutputStream other;

            Both(OutputStream one, OutputStream other) {
                this.one = one;
                this.other = other;
            }

            @Override
            public void write(int value) throws IOException {
                one.write(value);
                other.write(value);
            }
        }

        synchronized void hear(Object what) {
            heard.add(String.valueOf(what));
        }

        synchronized String said() {
            return String.join("\n", heard) + "\n" + printed.toString(StandardCharsets.UTF_8);
        }

        @Override
        public void publish(LogRecord entry) {
            StringWriter text = new StringWriter();
            text.append(String.valueOf(entry.getMessage()));
            text.append(Arrays.toString(entry.getParameters()));
            if (entry.getThrown() != null) {
                entry.getThrown().printStackTrace(new PrintWriter(text));
            }
            hear(text);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            System.setOut(out);
            System.setErr(err);
            root.removeHandler(this);
            root.setLevel(before);
        }
    }
}
