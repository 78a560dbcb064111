package palyra.sandbox.internal.canary;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;

/**
 * A sandbox that runs nothing and answers to the battery as one that holds would; single walls can
 * be taken away.
 */
final class Holding implements SandboxBackend {
    private static final Pattern PORT = Pattern.compile("/dev/tcp/127.0.0.1/(\\d+)");
    private static final Pattern OUTSIDE = Pattern.compile("'([^']*canary-[^']*)'");

    volatile BackendStatus status = BackendStatus.ready(Map.of("walls", "all"), "f1");
    volatile PalyraException check; // null lets everything pass
    volatile PalyraException checkOfOpenModes;
    volatile String enforcement = "landlock=7 seccomp=sha256:0";
    volatile String leak = ""; // script that gets what it wants
    volatile String sharedLeak = ""; // the same, but only where commands share the sandbox
    volatile PalyraException hold; // null makes one that commands share
    volatile boolean nothingWorks;
    volatile boolean networkOpen;
    volatile boolean ownPortOpen;
    volatile boolean noFileLimit;
    volatile boolean writesOutside;
    volatile boolean fullAtTheEnd; // the last commands of the battery do not even start
    volatile boolean endless; // every command lasts until it is killed
    volatile boolean environmentShows;
    volatile int leftBehind;
    final AtomicInteger hasty = new AtomicInteger(); // so many are not seen to end in time
    volatile CountDownLatch held = new CountDownLatch(0); // nothing starts until it is let go

    final AtomicInteger starts = new AtomicInteger();
    final Tier tier;

    Holding(Tier tier) {
        this.tier = tier;
    }

    @Override
    public Tier tier() {
        return tier;
    }

    @Override
    public String executor() {
        return "holding";
    }

    @Override
    public BackendStatus status() {
        return status;
    }

    @Override
    public BackendStatus probe() {
        return status;
    }

    @Override
    public void check(SandboxSpec spec) {
        if (check != null) {
            throw check;
        }
        if (fullAtTheEnd && String.join(" ", spec.argv()).contains("> big")) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE, "It has no folder: No space left on device");
        }
        if (checkOfOpenModes != null && spec.egress() != Egress.STRICT) {
            throw checkOfOpenModes;
        }
    }

    @Override
    public SandboxProcess start(SandboxSpec spec) {
        awaitLeave();
        String script = spec.argv().get(spec.argv().size() - 1);
        boolean lasting = endless || script.contains("sleep 600; sleep 600");
        starts.incrementAndGet(); // a test that saw it may change the rest
        act(spec, script);
        String mode = spec.egress().name().toLowerCase(java.util.Locale.ROOT);
        return new Answer(answer(spec, script), lasting, mode + " " + enforcement, left());
    }

    @Override
    public SandboxProcess hold(SandboxSpec spec) {
        if (hold != null) {
            throw hold;
        }
        return new Answer("", true, "strict " + enforcement, 0);
    }

    private void awaitLeave() {
        try {
            held.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int left() {
        return leftBehind + (hasty.getAndUpdate(some -> Math.max(0, some - 1)) > 0 ? 1 : 0);
    }

    private void act(SandboxSpec spec, String script) {
        try {
            connect(spec, script);
            Path outside = outside(script);
            if (writesOutside && outside != null && script.startsWith("echo x > '")) {
                Files.writeString(outside.resolve("made"), "x");
            }
            if (noFileLimit && script.contains("> big")) {
                Files.write(Path.of(spec.workspace(), "big"), new byte[2 << 20]);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Path outside(String script) {
        Matcher matcher = OUTSIDE.matcher(script);
        return matcher.find() ? Path.of(matcher.group(1)) : null;
    }

    private void connect(SandboxSpec spec, String script) throws IOException {
        Matcher matcher = PORT.matcher(script);
        if (!matcher.find()) {
            return;
        }
        int port = Integer.parseInt(matcher.group(1));
        boolean free = spec.egress() == Egress.NONE && !spec.forbiddenPorts().contains(port);
        boolean own = ownPortOpen && spec.forbiddenPorts().contains(port);
        if (!nothingWorks && (free || own || networkOpen)) {
            new Socket("127.0.0.1", port).close();
        }
    }

    private String answer(SandboxSpec spec, String script) {
        if (nothingWorks) {
            return "";
        }
        StringBuilder out = new StringBuilder();
        for (String word : new String[] {"inside-works", "own-signal", "left-it", "found-it"}) {
            if (script.contains(word)) {
                out.append(word).append('\n');
            }
        }
        String leaks = spec.shared().isPresent() ? sharedLeak : leak;
        if (!leaks.isEmpty() && script.contains(leaks)) {
            out.append("canary-escaped\n");
        }
        if (environmentShows && script.startsWith("env")) {
            out.append("SECRET_TOKEN=topsecret\n");
        }
        return out.append("canary-done\n").toString();
    }

    private static final class Answer implements SandboxProcess {
        private final String text;
        private final CountDownLatch killed = new CountDownLatch(1);
        private final boolean lasting;
        private final String enforcement;
        private final int leftBehind;

        Answer(String text, boolean lasting, String enforcement, int leftBehind) {
            this.text = text;
            this.lasting = lasting;
            this.enforcement = enforcement;
            this.leftBehind = leftBehind;
        }

        @Override
        public long pid() {
            return 0;
        }

        @Override
        public InputStream stdout() {
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public InputStream stderr() {
            return InputStream.nullInputStream();
        }

        @Override
        public OutputStream stdin() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public Optional<ExitReport> await(long millis) throws InterruptedException {
            if (lasting && !killed.await(millis, TimeUnit.MILLISECONDS)) {
                return Optional.empty();
            }
            return Optional.of(new ExitReport(true, lasting ? 137 : 0, "", false));
        }

        @Override
        public Usage usage() {
            return new Usage(-1, -1, false);
        }

        @Override
        public int kill() {
            killed.countDown();
            return leftBehind;
        }

        @Override
        public String enforcement() {
            return enforcement;
        }

        @Override
        public void close() {
            killed.countDown();
        }
    }
}
