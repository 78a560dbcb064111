package palyra.itests.process;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import palyra.itests.Wait;

/**
 * Sessions that have an agent call tools of the marker skill without a pause: in each message one
 * that computes and one that leaves a mark. Every message is judged by its tape when it is
 * answered.
 */
final class SkillLoad implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int ROUNDS = 20_000;

    private final CommandClient client;
    private final String agent;
    private final List<Thread> threads = new ArrayList<>();
    private final List<Phase> phases = new CopyOnWriteArrayList<>();
    private final Set<String> runs = new HashSet<>(); // guarded by this, as the next two
    private final List<String> breaches = new ArrayList<>();
    private final Map<String, Integer> seen = new TreeMap<>();
    private final AtomicInteger answered = new AtomicInteger();
    private volatile boolean stopping;

    /**
     * What may happen in a part of the test.
     *
     * @param builds that answers may name
     * @param refusals whether a call may be refused because the version it was decided on is gone
     */
    private record Phase(Set<String> builds, boolean refusals) {}

    /** Prepares a load on an agent that has the tools {@code stamp} and {@code mark}. */
    SkillLoad(CommandClient client, String agent) {
        this.client = client;
        this.agent = agent;
    }

    /** From now on, until it is said otherwise, these builds may answer. */
    void mayAnswer(String... builds) {
        phases.add(new Phase(Set.of(builds), false));
    }

    /** The same, while a version is being rolled back: what was decided on it is refused. */
    void mayAnswerOrBeRefused(String... builds) {
        phases.add(new Phase(Set.of(builds), true));
    }

    void start(int sessions) {
        for (int i = 0; i < sessions; i++) {
            String session = "s" + i;
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .name("load-" + session)
                            .start(() -> talk(session)));
        }
    }

    private void talk(String session) {
        for (int number = 0; !stopping && breaches().isEmpty(); number++) {
            int from = phases.size() - 1;
            try {
                String name = "m-" + session + "-" + number;
                SkillTape tape = SkillTape.read(client, ask(session, name));
                List<Phase> all = List.copyOf(phases); // more may come while it is judged
                judge(name, tape, all.subList(from, all.size()));
                answered.incrementAndGet();
            } catch (IOException | RuntimeException | AssertionError e) {
                breach(session + "-" + number + ": " + e);
            }
        }
    }

    private String ask(String session, String name) throws IOException {
        String script =
                "#!palyra-script\n{\"turns\":[["
                        + call("stamp", "{\"text\":\"" + name + "\",\"rounds\":" + ROUNDS + "}")
                        + "],["
                        + call("mark", "{\"text\":\"" + name + "\"}")
                        + "],[{\"say\":\"done\"}]]}";
        String runId =
                client.runWith(script, "ask", "--json", "--agent", agent, "--session", session, "-")
                        .ok()
                        .json()
                        .path("runId")
                        .asText();
        synchronized (this) {
            if (!runs.add(runId)) {
                breach("the run " + runId + " answered two messages");
            }
        }
        return runId;
    }

    private static String call(String tool, String input) {
        return "{\"call\":{\"tool\":\"" + MarkerSkill.tool(tool) + "\",\"input\":" + input + "}}";
    }

    private void judge(String name, SkillTape tape, List<Phase> passed) throws IOException {
        tape.breaches().forEach(this::breach);
        List<String> tools = tape.calls().stream().map(SkillTape.Call::tool).toList();
        if (!tools.equals(List.of(MarkerSkill.tool("stamp"), MarkerSkill.tool("mark")))) {
            breach(name + " called " + tools);
        }
        for (SkillTape.Call call : tape.calls()) {
            judge(name, call, passed);
        }
    }

    private void judge(String name, SkillTape.Call call, List<Phase> passed) throws IOException {
        boolean stamp = call.tool().equals(MarkerSkill.tool("stamp"));
        if (call.outcome().equals("SUCCEEDED")) {
            long number = stamp ? MarkerSkill.stamp(name, ROUNDS) : 1;
            String build = call.answer().path("build").asText();
            if (passed.stream().noneMatch(phase -> phase.builds().contains(build))
                    || !call.answer().path("text").asText().equals(name)
                    || call.answer().path("number").asLong(-1) != number) {
                breach(name + " of " + passed + ": " + call);
            }
            count(call, build);
        } else if (isExcused(call, stamp, passed)) {
            count(call, call.outcome());
        } else {
            breach(name + " of " + passed + ": " + call);
        }
    }

    /**
     * A call that had begun to change something when its engine went is not repeated, and told so.
     */
    private static boolean isExcused(SkillTape.Call call, boolean stamp, List<Phase> passed) {
        boolean interrupted =
                !stamp
                        && call.outcome().equals("INTERRUPTED")
                        && call.error().contains("had begun to change something");
        boolean refused =
                passed.stream().anyMatch(Phase::refusals)
                        && call.outcome().equals("FAILED")
                        && call.error().contains("Propose the call again");
        return interrupted || refused;
    }

    private synchronized void count(SkillTape.Call call, String what) {
        String tool = call.tool().substring(call.tool().lastIndexOf('.') + 1);
        seen.merge(tool + " " + what, 1, Integer::sum);
    }

    private synchronized void breach(String what) {
        breaches.add(what);
    }

    /** Returns what was wrong. */
    synchronized List<String> breaches() {
        return List.copyOf(breaches);
    }

    /** Returns how often each tool answered with each build or outcome. */
    synchronized Map<String, Integer> seen() {
        return new TreeMap<>(seen);
    }

    /** Returns the runs of the messages that were acknowledged. */
    synchronized Set<String> runs() {
        return Set.copyOf(runs);
    }

    /** Returns when so many more messages were answered, or something was wrong. */
    void awaitMore(int messages) throws Exception {
        int wanted = answered.get() + messages;
        Wait.until(
                messages + " more answers",
                PATIENCE,
                () -> answered.get() >= wanted || !breaches().isEmpty(),
                () -> answered + " answers, " + seen());
    }

    /** Sends no more and returns when all is answered. */
    void stop() throws Exception {
        stopping = true;
        for (Thread thread : threads) {
            thread.join(PATIENCE.toMillis());
            if (thread.isAlive()) {
                breach(thread.getName() + " does not end");
            }
        }
    }

    @Override
    public void close() {
        stopping = true;
    }
}
