package palyra.itests.stories;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.osgi.framework.ServiceReference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.run.Runs;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.itests.Wait;

/**
 * Messages that flow without a pause, each one sent until it is acknowledged. A send that was
 * refused because something is away is sent again under its dedupe key, as every surface does it.
 */
final class Traffic implements AutoCloseable {
    static final Principal SENDER =
            new Principal(
                    "user:traffic", PrincipalKind.USER, Set.of("operator"), Set.of(), "traffic");

    private static final int THREADS = 6;
    private static final String SCRIPT =
            "#!palyra-script\n"
                    + "{\"turns\":[[{\"say\":\"one two three \",\"chunkMillis\":5},"
                    + "{\"call\":{\"tool\":\"palyra.sleep\",\"input\":{\"millis\":30}}}],"
                    + "[{\"call\":{\"tool\":\"palyra.echo\",\"input\":{\"text\":\"x\"}}}],"
                    + "[{\"say\":\"the answer is here\",\"chunkMillis\":5}]]}";

    private final House house;
    private final String name;
    private final Map<String, Submission> acknowledged = new ConcurrentHashMap<>();
    private final AtomicInteger number = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;

    private Traffic(House house, String name) {
        this.house = house;
        this.name = name;
    }

    static Traffic start(House house, String name) {
        Traffic traffic = new Traffic(house, name);
        for (int i = 0; i < THREADS; i++) {
            traffic.threads.add(
                    Thread.ofPlatform().name("traffic-" + i).start(traffic::sendUntilStopped));
        }
        return traffic;
    }

    Map<String, Submission> acknowledged() {
        return acknowledged;
    }

    private void sendUntilStopped() {
        try {
            while (!stopping && failure.get() == null) {
                String key = name + "-" + number.incrementAndGet();
                acknowledged.put(key, send(key));
                awaitEnd(acknowledged.get(key));
            }
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }

    private Submission send(String key) throws Exception {
        SubmittedMessage message =
                new SubmittedMessage(
                        "traffic", key, "", key, "", "", "traffic", SCRIPT, "background", false);
        return insist(runs -> runs.submit(SENDER, message));
    }

    /** A new message goes out when the one before has ended, so that the load stays even. */
    private void awaitEnd(Submission submission) throws Exception {
        Wait.until(
                "message " + submission.messageId() + " to be answered",
                () -> hasEnded(submission));
    }

    private boolean hasEnded(Submission submission) throws Exception {
        String runId =
                submission.runId().isEmpty()
                        ? insist(runs -> runs.submission(SENDER, submission.messageId())).runId()
                        : submission.runId();
        return !runId.isEmpty()
                && insist(runs -> runs.run(SENDER, runId).orElseThrow()).state().terminal();
    }

    private interface Question<R> {
        R ask(Runs runs);
    }

    /** Asks again while the service, or what it needs, is away. */
    private <R> R insist(Question<R> question) throws Exception {
        AtomicReference<R> answer = new AtomicReference<>();
        Wait.until(
                "the runs service",
                () -> {
                    answer.set(once(question));
                    return answer.get() != null;
                });
        return answer.get();
    }

    private <R> R once(Question<R> question) {
        ServiceReference<Runs> reference = house.context().getServiceReference(Runs.class);
        Runs runs = reference == null ? null : house.context().getService(reference);
        if (runs == null) {
            return null;
        }
        try {
            return question.ask(runs);
        } catch (PalyraException e) {
            if (e.code().kind() == ErrorCode.Kind.UNAVAILABLE) {
                return null;
            }
            throw e;
        } finally {
            house.context().ungetService(reference);
        }
    }

    /** Waits until so many more messages were acknowledged. */
    void awaitMore(int messages) throws Exception {
        int wanted = acknowledged.size() + messages;
        Wait.until(
                messages + " more messages",
                () -> failure.get() != null || acknowledged.size() >= wanted);
        check();
    }

    private void check() {
        if (failure.get() != null) {
            throw new AssertionError("a message failed", failure.get());
        }
    }

    /** Sends no more; every message that was begun is answered. */
    void stop() throws Exception {
        stopping = true;
        for (Thread thread : threads) {
            thread.join(60_000);
            if (thread.isAlive()) {
                throw new AssertionError(thread.getName() + " does not end");
            }
        }
        check();
    }

    @Override
    public void close() {
        stopping = true;
    }
}
