package palyra.bench.grpc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import palyra.bench.report.Latencies;
import palyra.shared.hash.Ulids;

/**
 * Messages at a steady rate, independent of earlier ones (an open loop: a gateway that is slow is
 * not spared). Every message is followed to its end.
 */
public final class GrpcLoad implements AutoCloseable {
    private final GrpcClient client;
    private final String name;
    private final int sessions;
    private final Conversation talk;
    private final ScheduledExecutorService timer =
            Executors.newScheduledThreadPool(
                    2, Thread.ofPlatform().daemon().name("bench-grpc-", 0).factory());
    private final Ulids ids = new Ulids();
    private final AtomicLong sent = new AtomicLong();
    private final Set<Exchange> open = ConcurrentHashMap.newKeySet();
    private final Map<String, String> done = new ConcurrentHashMap<>();
    private final List<String> breaches = new ArrayList<>(); // guarded by this, as all below
    private Latencies acks = new Latencies();
    private Latencies totals = new Latencies();
    private long streams;
    private long restarts;
    private volatile boolean stopped;
    private volatile int mostOpen = Integer.MAX_VALUE;

    /**
     * Prepares a load.
     *
     * @param name begins the keys of its sessions
     * @param sessions number of sessions, which take their turns one after the other
     */
    public GrpcLoad(GrpcClient client, String name, int sessions, Conversation talk) {
        this.client = client;
        this.name = name;
        this.sessions = sessions;
        this.talk = talk;
    }

    /** Begins to send; failures are counted. */
    public void start(int perSecond) {
        start(perSecond, Integer.MAX_VALUE);
    }

    /**
     * Begins to send.
     *
     * @param mostOpen so many may be open; a message whose turn comes then is left out
     */
    public void start(int perSecond, int mostOpen) {
        this.mostOpen = mostOpen;
        long period = TimeUnit.SECONDS.toNanos(1) / perSecond;
        timer.scheduleAtFixedRate(this::send, 0, period, TimeUnit.NANOSECONDS);
    }

    private void send() {
        if (stopped || open.size() >= mostOpen) {
            return;
        }
        say(sent.getAndIncrement());
    }

    private void say(long number) {
        Conversation.Line line = talk.line(number);
        Exchange exchange =
                new Exchange(
                        client,
                        timer,
                        ids.next(),
                        name + "-" + number % sessions,
                        line,
                        this::over);
        open.add(exchange);
        exchange.open();
    }

    /** Lets each session speak once, so many at a time, and waits for the end. */
    public void introduce(int atOnce, long seconds) throws InterruptedException {
        for (int i = 0; i < sessions; i++) {
            while (open.size() >= atOnce) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            say(sent.getAndIncrement());
        }
        finish(seconds);
        stopped = false;
    }

    private void over(Exchange exchange) {
        synchronized (this) {
            if (exchange.isAccepted()) {
                acks.add(exchange.ackNanos());
            }
            if (exchange.totalNanos() > 0) {
                totals.add(exchange.totalNanos());
            }
            streams += exchange.streams();
            restarts += exchange.restarts();
            if (!exchange.breach().isEmpty()) {
                breaches.add(exchange.breach());
            }
        }
        done.put(exchange.runId(), "");
        open.remove(exchange);
    }

    /** Returns the time from sending to acknowledgement of what ended since the last call. */
    public synchronized Latencies takeAcks() {
        Latencies taken = acks;
        acks = new Latencies();
        return taken;
    }

    /** Returns the time from sending to the end of the run of what ended since the last call. */
    public synchronized Latencies takeTotals() {
        Latencies taken = totals;
        totals = new Latencies();
        return taken;
    }

    /** Sends no more and waits for the open messages; returns how many are still open then. */
    public Collection<String> finish(long seconds) throws InterruptedException {
        stopped = true;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!open.isEmpty() && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return open.stream().map(Exchange::toString).toList();
    }

    /** Returns how many messages were sent. */
    public long sent() {
        return sent.get();
    }

    /** Returns how many are durable. */
    public long accepted() {
        return done.size() + open.stream().filter(Exchange::isAccepted).count();
    }

    /** Returns how many ended. */
    public long ended() {
        return done.size();
    }

    /** Returns the ids of the runs that ended. */
    public Set<String> runs() {
        return Set.copyOf(done.keySet());
    }

    /** Returns what was wrong. */
    public synchronized List<String> breaches() {
        return List.copyOf(breaches);
    }

    /** Returns how it went, in one line. */
    public synchronized String summary() {
        return ended()
                + " of "
                + sent()
                + " messages answered, over "
                + streams
                + " streams, "
                + restarts
                + " texts begun again";
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
