package palyra.console.internal.fakes;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.run.Following;
import palyra.api.run.RunEvent;
import palyra.api.run.RunObserver;
import palyra.api.run.RunPosition;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.run.Runs;

/**
 * Runs that tell what a test lets them tell, each to its own principal and to operators. A
 * following begins after the event that its position is of, as {@link RunPosition#advance} counts.
 * Thread-safe.
 */
public final class ScriptedRuns {
    /** How often lists of runs were asked for. */
    public final AtomicInteger lists = new AtomicInteger();

    /** Whether lists of runs are refused. */
    public volatile boolean denied;

    private final Map<String, RunView> views = new LinkedHashMap<>(); // this and all below by this
    private final Map<String, List<RunEvent>> events = new LinkedHashMap<>();
    private final List<Live> followings = new ArrayList<>();
    private int breaksAfter = Integer.MAX_VALUE;

    /** Adds a run of a principal in a session. */
    public synchronized void add(String runId, String sessionId, String principal) {
        views.put(
                runId,
                new RunView(runId, sessionId, principal, "a", "", RunState.RUNNING, "", 1, 1, 0));
        events.put(runId, new ArrayList<>());
    }

    /** Lets something happen. */
    public synchronized void tell(String runId, RunEvent... more) {
        events.get(runId).addAll(List.of(more));
        notifyAll();
    }

    /** Lets every following break off after so many events, as when the front is replaced. */
    public synchronized void breakAfter(int events) {
        breaksAfter = events;
    }

    /** Returns how many are followed now. */
    public synchronized int followed() {
        return (int) followings.stream().filter(each -> each.over.getCount() > 0).count();
    }

    /** Returns how many events were taken from a run, by all followings together. */
    public synchronized int taken() {
        return followings.stream().mapToInt(each -> each.passed).sum();
    }

    /** Returns the service; methods that are not foreseen fail. */
    public Runs service() {
        return (Runs)
                Proxy.newProxyInstance(
                        Runs.class.getClassLoader(),
                        new Class<?>[] {Runs.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "run" ->
                                            run((Principal) arguments[0], (String) arguments[1]);
                                    case "runs" ->
                                            runs((Principal) arguments[0], (String) arguments[1]);
                                    case "follow" ->
                                            follow(
                                                    (Principal) arguments[0],
                                                    (String) arguments[1],
                                                    (RunPosition) arguments[2],
                                                    (RunObserver) arguments[3]);
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    case "toString" -> "scripted runs";
                                    default -> throw new AssertionError(method.getName());
                                });
    }

    private static boolean may(Principal reader, RunView run) {
        return reader.in("operator") || run.principal().equals(reader.id());
    }

    private synchronized Optional<RunView> run(Principal reader, String runId) {
        return Optional.ofNullable(views.get(runId))
                .filter(run -> may(reader, run))
                .map(this::withHead);
    }

    /** Returns the number of the last record of a run. */
    public synchronized long recorded(String runId) {
        return events.get(runId).stream()
                .filter(RunEvent.Recorded.class::isInstance)
                .mapToLong(event -> ((RunEvent.Recorded) event).seq())
                .max()
                .orElse(0);
    }

    private RunView withHead(RunView run) {
        return new RunView(
                run.runId(),
                run.sessionId(),
                run.principal(),
                run.agentId(),
                run.originKind(),
                run.state(),
                run.reason(),
                run.createdAtMillis(),
                run.updatedAtMillis(),
                recorded(run.runId()));
    }

    private synchronized List<RunView> runs(Principal reader, String sessionId) {
        lists.incrementAndGet();
        if (denied) {
            throw new PalyraException(ErrorCode.DENIED, "Runs are not for you any more.");
        }
        List<RunView> newestFirst = new ArrayList<>();
        views.values().stream()
                .filter(run -> may(reader, run))
                .filter(run -> sessionId.isEmpty() || run.sessionId().equals(sessionId))
                .forEach(run -> newestFirst.add(0, run));
        return newestFirst;
    }

    private synchronized Following follow(
            Principal reader, String runId, RunPosition from, RunObserver observer) {
        if (run(reader, runId).isEmpty()) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "There is no run " + runId + ".");
        }
        Live live = new Live(runId, observer, after(events.get(runId), from));
        followings.add(live);
        Thread.ofVirtual().start(live);
        return live;
    }

    /** Returns how many events a position has behind it. */
    private static int after(List<RunEvent> all, RunPosition from) {
        RunPosition at = RunPosition.START;
        int count = 0;
        for (int i = 0; i < all.size() && !at.equals(from); i++) {
            at = StartedAttempts.advance(at, all.get(i));
            count = i + 1;
        }
        if (at.equals(from)) {
            return count;
        }
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) instanceof RunEvent.Recorded recorded && recorded.seq() == from.seq()) {
                return i + 1;
            }
        }
        if (from.equals(RunPosition.START)) {
            return 0;
        }
        if (from.seq() > at.seq()) {
            throw new IllegalArgumentException("the run ends before record " + from.seq());
        }
        throw new AssertionError("no event of the run is at " + from);
    }

    private synchronized RunEvent next(Live live) throws InterruptedException {
        List<RunEvent> all = events.get(live.runId);
        while (live.at >= all.size() && live.over.getCount() > 0) {
            wait(20);
        }
        if (live.over.getCount() == 0) {
            return null;
        }
        if (live.passed >= breaksAfter) {
            live.observer.onInterrupted("the front is replaced");
            live.over.countDown();
            return null;
        }
        return all.get(live.at++);
    }

    private synchronized void passed(Live live) {
        live.passed++;
    }

    /** One following. */
    private final class Live implements Following, Runnable {
        private final String runId;
        private final RunObserver observer;
        private final CountDownLatch over = new CountDownLatch(1);
        private int at; // by the runs, as the next
        private int passed;

        Live(String runId, RunObserver observer, int at) {
            this.runId = runId;
            this.observer = observer;
            this.at = at;
        }

        @Override
        public void run() {
            try {
                for (RunEvent event = next(this); event != null; event = next(this)) {
                    observer.onEvent(event);
                    passed(this);
                    if (event instanceof RunEvent.Ended) {
                        return;
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IllegalStateException e) {
                return; // the follower went away
            } finally {
                over.countDown();
            }
        }

        @Override
        public boolean await(long timeoutMillis) throws InterruptedException {
            return over.await(timeoutMillis, TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            over.countDown();
        }
    }
}
