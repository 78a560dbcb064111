package palyra.shell.internal.gogo;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
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

/** One first word as a Gogo function; the words after it are its arguments, never joined. */
final class GogoFunction implements Function {
    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;
    private static final long LOOK_MILLIS = 1_000;
    private static final long STOP_MILLIS = 10_000;

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
        try {
            while (!execution.await(LOOK_MILLIS)) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } catch (InterruptedException e) {
            execution.stop(StopCause.PERSON);
            execution.await(STOP_MILLIS);
            Thread.currentThread().interrupt();
        }
        streams.report();
        return null;
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
            AtomicInteger exit)
            implements Execution.Streams {

        static GogoStreams of(CommandSession session) {
            Process process = Process.Utils.current();
            return process == null
                    ? new GogoStreams(
                            null,
                            false,
                            session.getKeyboard(),
                            session.getConsole(),
                            session.getConsole(),
                            new AtomicInteger())
                    : new GogoStreams(
                            process,
                            process.isTty(STANDARD_OUTPUT),
                            process.in(),
                            shown(process, STANDARD_OUTPUT, process.out(), session),
                            shown(process, STANDARD_ERROR, process.err(), session),
                            new AtomicInteger());
        }

        private static OutputStream shown(
                Process process, int number, OutputStream stream, CommandSession session) {
            return process.isTty(number) ? new Shown(stream, session.getConsole()) : stream;
        }

        @Override
        public void exited(int code) {
            exit.set(code);
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
