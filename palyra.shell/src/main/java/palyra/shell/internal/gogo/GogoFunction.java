package palyra.shell.internal.gogo;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Function;
import org.apache.felix.service.command.Process;
import palyra.api.access.Principal;
import palyra.shell.internal.host.CommandHost;
import palyra.shell.internal.host.Execution;
import palyra.shell.internal.host.Request;
import palyra.shell.internal.host.StopCause;

/**
 * One first word as a Gogo function; the words after it are its arguments, never joined. The
 * command runs on a thread of its own; what it writes is written here, on Gogo's.
 */
final class GogoFunction implements Function {
    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;
    private static final long LOOK_MILLIS = 1_000;
    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String word;
    private final CommandHost host;
    private final Supplier<Principal> caller;

    GogoFunction(String word, CommandHost host, Supplier<Principal> caller) {
        this.word = word;
        this.host = host;
        this.caller = caller;
    }

    @Override
    public Object execute(CommandSession session, List<Object> arguments) throws Exception {
        List<String> argv = new ArrayList<>();
        argv.add(word);
        arguments.forEach(argument -> argv.add(String.valueOf(argument)));
        GogoStreams streams = GogoStreams.of(session);
        Request request = new Request(argv, streams.terminal(), columns(session), folder(session));
        Execution execution = host.start(request, caller, streams);
        carry(execution, streams);
        streams.report();
        return null;
    }

    /**
     * Carries the output to its end. An interrupt is a person's Ctrl-C: the command is told to
     * stop, and its last words are waited for, within bounds.
     */
    private static void carry(Execution execution, GogoStreams streams) {
        boolean stopped = false;
        long stopBy = Long.MAX_VALUE;
        boolean over = false;
        while (!over && (!stopped || System.nanoTime() - stopBy < 0)) {
            try {
                over = streams.relay().carry(LOOK_MILLIS);
            } catch (InterruptedException e) {
                execution.stop(StopCause.PERSON);
                stopBy = stopped ? stopBy : System.nanoTime() + STOP_NANOS;
                stopped = true;
            }
        }
        streams.relay().close();
    }

    private static int columns(CommandSession session) {
        Object columns = session.get("COLUMNS");
        String text = String.valueOf(columns);
        return text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    }

    private static String folder(CommandSession session) {
        return session.currentDir() == null ? "" : session.currentDir().toString();
    }

    /** The streams of the Gogo pipe that the function stands in. */
    private record GogoStreams(
            Process process,
            boolean terminal,
            InputStream in,
            OutputStream out,
            OutputStream err,
            Relay relay,
            AtomicInteger exit)
            implements Execution.Streams {

        static GogoStreams of(CommandSession session) {
            Process process = Process.Utils.current();
            Relay relay = new Relay();
            if (process == null) {
                OutputStream console = relay.to(session.getConsole());
                return new GogoStreams(
                        null,
                        false,
                        session.getKeyboard(),
                        console,
                        console,
                        relay,
                        new AtomicInteger());
            }
            return new GogoStreams(
                    process,
                    process.isTty(STANDARD_OUTPUT),
                    process.in(),
                    relay.to(shown(process, STANDARD_OUTPUT, process.out(), session)),
                    relay.to(shown(process, STANDARD_ERROR, process.err(), session)),
                    relay,
                    new AtomicInteger());
        }

        private static OutputStream shown(
                Process process, int number, OutputStream stream, CommandSession session) {
            return process.isTty(number) ? new Shown(stream, session.getConsole()) : stream;
        }

        @Override
        public void exited(int code) {
            exit.set(code);
            relay.end();
        }

        /** Hands the exit code to Gogo, on Gogo's thread. */
        void report() {
            if (process != null && exit.get() != 0) {
                process.error(exit.get());
            }
        }
    }

    /** Gogo keeps a flush to itself; what a command flushes is to be seen while it runs. */
    private static final class Shown extends FilterOutputStream {
        private final OutputStream console;

        Shown(OutputStream stream, OutputStream console) {
            super(stream);
            this.console = console;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            out.flush();
            console.flush();
        }
    }
}
