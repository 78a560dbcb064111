package palyra.launcher;

import com.sun.security.auth.module.UnixSystem;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * The gateway's process: {@code ./palyra up}.
 *
 * <p>Exit codes: 0 stopped, 1 unexpected error, 64 bad usage or an unusable state folder, 70 broken
 * bundles, 74 the storage of the state folder takes no writes, 75 another process holds the state
 * folder; with {@code --console} and without a terminal, that of the last command of the input.
 */
public final class Main {
    /** Bundles tell what is not there yet as starting until this time, by the nanosecond clock. */
    private static final String STARTING = "palyra.starting";

    private static final long MOST_STARTING_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long READY_TIMEOUT_MILLIS = TimeUnit.SECONDS.toMillis(20);

    /** How long an endpoint may take after the gateway is ready. */
    private static final long ENDPOINTS_TIMEOUT_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final long startMillis;
    private final long startNanos;
    private final Options options;

    /** Held as long as this process lives. */
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private StateLock lock;

    private Main(Options options) {
        long now = System.currentTimeMillis();
        this.startMillis = Math.min(now, options.execMillis().orElse(now));
        this.startNanos = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(now - startMillis);
        this.options = options;
    }

    /**
     * Starts the gateway and stays until it is stopped.
     *
     * @param arguments {@code --http-port N}, {@code --set PID:key=value} (repeatable), {@code
     *     --safe}, {@code --console}, {@code --headless}
     */
    public static void main(String[] arguments) {
        int code;
        try {
            new Main(Options.parse(Arrays.asList(arguments), System.getenv())).run();
            code = ExitCode.STOPPED.code();
        } catch (LaunchException e) {
            System.err.println("palyra: " + e.getMessage());
            code = e.exitCode().code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            code = ExitCode.FAILED.code();
        }
        System.exit(code);
    }

    private void run() throws LaunchException, InterruptedException {
        int uid = Math.toIntExact(new UnixSystem().getUid());
        StateFolder state = StateFolder.open(options.state(), options.home(), uid);
        lock = StateLock.take(state.path());
        state.prepare();
        ReadyFile readyFile = options.readyFilePath().map(ReadyFile::new).orElse(null);
        if (readyFile != null) {
            readyFile.clear();
        }
        FrameworkProperties.system(options, state).forEach(System::setProperty);
        useNativeLibraries();
        PreviousCache.putAside(state);
        Gateway gateway =
                new Gateway(FrameworkProperties.of(options, state, startNanos, startMillis));
        stopOnSignal(gateway);
        System.setProperty(STARTING, String.valueOf(System.nanoTime() + MOST_STARTING_NANOS));
        Gateway.Started started = start(gateway, state);
        if (announce(gateway, started, readyFile)) {
            PreviousCache.removeInBackground(state);
            serve(gateway, state);
        }
    }

    private Gateway.Started start(Gateway gateway, StateFolder state) throws LaunchException {
        try {
            return gateway.start(bundles(), order());
        } catch (LaunchException e) {
            throw MediumProblem.or(e.exitCode(), e.getMessage(), state.sub(StateFolder.CACHE), e);
        }
    }

    private void useNativeLibraries() {
        NativeLibraries libraries = NativeLibraries.of(options.home());
        libraries
                .properties()
                .forEach((name, value) -> System.getProperties().putIfAbsent(name, value));
        libraries.problems().forEach(problem -> System.err.println("palyra: " + problem));
    }

    private List<BundleSet.Item> bundles() throws LaunchException {
        List<BundleSet.Item> items = BundleSet.scan(options.home().resolve("bundles"));
        return options.startSeed().isPresent()
                ? BundleSet.shuffled(items, options.startSeed().getAsLong())
                : items;
    }

    /** A shuffled order stays as it is. */
    private UnaryOperator<List<BundleSet.Installed>> order() {
        return options.startSeed().isPresent() ? UnaryOperator.identity() : BundleStarter::early;
    }

    /** False when this start was only for training. */
    private boolean announce(Gateway gateway, Gateway.Started started, ReadyFile readyFile)
            throws InterruptedException {
        Readiness readiness = Readiness.watch(gateway.context());
        Map<String, String> notReady;
        try {
            notReady = readiness.await(READY_TIMEOUT_MILLIS);
            System.clearProperty(STARTING);
            if (!notReady.isEmpty()) {
                notReady = readiness.await(0); // the reasons instead of that it is starting
            }
            report(gateway, started, readiness, notReady, readyFile);
        } catch (IllegalStateException e) {
            gateway.requireStopping(e);
            return true;
        }
        if (options.stopWhenReady()) {
            return false;
        }
        if (!notReady.isEmpty()) {
            Thread late =
                    new Thread(
                            () -> reportLate(gateway, started, readiness, readyFile),
                            "palyra-late");
            late.setDaemon(true);
            late.start();
        }
        return true;
    }

    private void report(
            Gateway gateway,
            Gateway.Started started,
            Readiness readiness,
            Map<String, String> notReady,
            ReadyFile readyFile)
            throws InterruptedException {
        boolean ready = notReady.isEmpty();
        readiness.awaitEndpoints(ready ? ENDPOINTS_TIMEOUT_MILLIS : 0);
        long millis = System.currentTimeMillis() - startMillis;
        Map<String, String> endpoints = readiness.endpoints();
        StartupReport.lines(
                        notReady,
                        millis,
                        Components.read(gateway.context()),
                        new StartupReport.Listening(endpoints, readiness.silent()),
                        started)
                .forEach(System.out::println);
        if (ready && readyFile != null) {
            readyFile.writeWhenPossible(
                    millis, endpoints, sentence -> System.err.println("palyra: " + sentence));
        }
    }

    private void reportLate(
            Gateway gateway, Gateway.Started started, Readiness readiness, ReadyFile readyFile) {
        try {
            while (!readiness.await(Duration.ofHours(1).toMillis()).isEmpty()) {
                // The gateway runs on without a time limit.
            }
            report(gateway, started, readiness, Map.of(), readyFile);
        } catch (IllegalStateException e) {
            gateway.requireStopping(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Gateway gateway, StateFolder state)
            throws LaunchException, InterruptedException {
        if (options.opensConsole()) {
            openPrompt(state);
        }
        gateway.awaitStop();
    }

    /** The end of the prompt is the end of a gateway that was started in the foreground. */
    private void openPrompt(StateFolder state) {
        Client client = Client.onStandardStreams(state.path(), System.getenv());
        boolean person = options.terminal().interactive();
        if (person) {
            System.out.println(StartupReport.NEXT);
        }
        Thread prompt =
                new Thread(
                        () -> {
                            int last = client.prompt();
                            System.exit(person ? ExitCode.STOPPED.code() : last);
                        },
                        "palyra-prompt");
        prompt.setDaemon(true);
        prompt.start();
    }

    private static void stopOnSignal(Gateway gateway) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(gateway), "palyra-shutdown"));
        // Without this handler the JVM would exit with 128 + the signal instead of 0.
        Signals.on("TERM", () -> System.exit(ExitCode.STOPPED.code()));
        Signals.on("INT", () -> System.exit(ExitCode.STOPPED.code()));
    }

    private static void stop(Gateway gateway) {
        try {
            boolean stopped = gateway.stop(Gateway.STOP_TIMEOUT_MILLIS);
            System.out.println(
                    stopped
                            ? "palyra stopped"
                            : "palyra did not stop within "
                                    + Gateway.STOP_TIMEOUT_MILLIS
                                    + " ms and is killed; acknowledged messages are on disk");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
