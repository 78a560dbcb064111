package palyra.itests.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import palyra.testing.http.FaultExchange;
import palyra.testing.http.FaultServer;
import palyra.testing.http.FaultyApi;

/**
 * A platform that has the messages of many people and brings some of them twice, whose connections
 * break, which is busy at times, and which loses answers; what was sent is found by its key. It
 * takes every message that it is sent, also under a key that it has. Thread-safe.
 */
final class DeskPlatform extends FaultyApi {
    private static final int PAGE = 40;
    private static final long HOLD_MILLIS = 1_000;
    private static final int FARTHEST = 200;
    private static final String LENGTH =
            " and more words than one sees at once, so that the answer to them is shown while it is"
                    + " made and grows";

    /** A message, or a repetition of one. */
    private record Update(String id, String person, String text) {}

    private record Posted(String id, String text) {}

    private final Object lock = new Object();
    private final Random random; // guarded by lock
    private final List<Update> updates; // guarded by lock
    private final Map<String, List<Posted>> posted = new TreeMap<>(); // guarded by lock
    private final Map<String, List<String>> heard = new TreeMap<>(); // guarded by lock
    private final Map<String, String> ids = new LinkedHashMap<>(); // by key; guarded by lock
    private final Map<String, Integer> faults = new TreeMap<>(); // guarded by lock
    private int visible; // how many of the updates people have written; guarded by lock
    private int read; // position that was kept; guarded by lock
    private int answers; // guarded by lock
    private int changes; // guarded by lock

    /**
     * Makes one whose people write in turns by chance, each in their order, and of whose messages a
     * fifth comes twice.
     */
    DeskPlatform(int people, int each, Random random) {
        this.random = random;
        updates = written(people, each, random);
        failAll("send", this::troubledSend);
        failAll("find", this::troubledRead);
        failAll("updates", this::troubledRead);
    }

    private static List<Update> written(int people, int each, Random random) {
        List<Update> plan = new ArrayList<>();
        int[] next = new int[people];
        while (plan.size() < people * each) {
            int person = random.nextInt(people);
            if (next[person] < each) {
                int i = next[person]++;
                plan.add(new Update("d-" + person + "-" + i, person(person), text(person, i)));
            }
        }
        for (int i = plan.size() - 1; i >= 0; i--) {
            if (random.nextInt(5) == 0) {
                int later = Math.min(plan.size(), i + 1 + random.nextInt(FARTHEST));
                plan.add(later, plan.get(i));
            }
        }
        return plan;
    }

    /** Every other person writes at length, and is answered at length. */
    static boolean isShown(int person) {
        return person % 2 == 1;
    }

    static String text(int person, int number) {
        return "m" + number + (isShown(person) ? LENGTH : "");
    }

    static String person(int number) {
        return "p" + number;
    }

    @Override
    protected String name(FaultServer.Heard request) {
        return path(request)[1];
    }

    private static String[] path(FaultServer.Heard request) {
        return request.line().split(" ")[1].split("/");
    }

    @Override
    protected Reply act(Call call) throws InterruptedException {
        String[] path = path(call.request());
        synchronized (lock) {
            return switch (call.name()) {
                case "updates" -> new Reply(200, updatesAfter(Integer.parseInt(path[2])));
                case "send" -> {
                    String text = call.request().body();
                    yield path.length > 4
                            ? change(path[2], path[3], path[4], text)
                            : new Reply(200, post(path[2], path[3], text));
                }
                case "find" ->
                        ids.containsKey(path[2])
                                ? new Reply(200, ids.get(path[2]))
                                : new Reply(404, "");
                default -> new Reply(400, "");
            };
        }
    }

    @SuppressWarnings("WaitNotInLoop") // an empty answer is one, too
    private String updatesAfter(int position) throws InterruptedException {
        read = Math.max(read, position);
        if (position >= visible) {
            TimeUnit.MILLISECONDS.timedWait(lock, HOLD_MILLIS);
        }
        StringBuilder page = new StringBuilder();
        for (int i = position; i < Math.min(visible, position + PAGE); i++) {
            Update one = updates.get(i);
            page.append(String.join("\t", i + 1 + "", one.id(), one.person(), one.text()));
            page.append('\n');
        }
        return page.toString();
    }

    private String post(String key, String person, String text) {
        ids.put(key, "post-" + ++answers);
        heard(person, ids.get(key), key, text);
        posted.computeIfAbsent(person, unused -> new ArrayList<>())
                .add(new Posted(ids.get(key), text));
        return ids.get(key);
    }

    private void heard(String person, String id, String key, String text) {
        heard.computeIfAbsent(person, unused -> new ArrayList<>())
                .add(System.currentTimeMillis() + " " + key + " " + id + " " + text);
    }

    /** Returns what came last for a person, in its order. */
    List<String> heardLast(String person) {
        synchronized (lock) {
            List<String> all = heard.getOrDefault(person, List.of());
            return List.copyOf(all.subList(Math.max(0, all.size() - 12), all.size()));
        }
    }

    /** Returns all that came: for whom, when, with which key, as which message, and its text. */
    List<String> heard() {
        synchronized (lock) {
            return heard.entrySet().stream()
                    .flatMap(of -> of.getValue().stream().map(line -> of.getKey() + " " + line))
                    .toList();
        }
    }

    /** What is not there any more cannot be changed. */
    private Reply change(String key, String person, String id, String text) {
        changes++;
        heard(person, id, key, text);
        List<Posted> messages = posted.getOrDefault(person, new ArrayList<>());
        boolean there = messages.stream().anyMatch(one -> one.id().equals(id));
        messages.replaceAll(one -> one.id().equals(id) ? new Posted(id, text) : one);
        return new Reply(there ? 200 : 404, id);
    }

    private int chance() {
        synchronized (lock) {
            return random.nextInt(100);
        }
    }

    private void count(String fault) {
        synchronized (lock) {
            faults.merge(fault, 1, Integer::sum);
        }
    }

    private void troubledSend(FaultExchange exchange, Act act)
            throws IOException, InterruptedException {
        int chance = chance();
        if (chance < 3) {
            count("429 for the conversation");
            exchange.answer(429, "text/plain", "");
        } else if (chance < 4) {
            count("429 for the account");
            exchange.answer(420, "text/plain", "");
        } else if (chance < 6) {
            count("503");
            exchange.answer(503, "text/plain", "");
        } else if (chance < 10) {
            count("lost acknowledgement");
            Fault.droppedAfter().play(exchange, act);
        } else if (chance < 12) {
            count("broken acknowledgement");
            Fault.truncated().play(exchange, act);
        } else if (chance < 15) {
            count("lost request");
            Fault.droppedBefore().play(exchange, act);
        } else {
            answer(exchange, act);
        }
    }

    private void troubledRead(FaultExchange exchange, Act act)
            throws IOException, InterruptedException {
        int chance = chance();
        if (chance < 3) {
            count("disconnected read");
            Fault.droppedAfter().play(exchange, act);
        } else if (chance < 5) {
            count("broken read");
            Fault.truncated().play(exchange, act);
        } else {
            answer(exchange, act);
        }
    }

    private static void answer(FaultExchange exchange, Act act)
            throws IOException, InterruptedException {
        Reply reply = act.run();
        exchange.answer(reply.status(), "text/plain", reply.json());
    }

    /** Lets people have written so many messages, counting repetitions. */
    void write(int count) {
        synchronized (lock) {
            visible = Math.clamp(count, visible, updates.size());
            lock.notifyAll();
        }
    }

    /** Returns how many messages and repetitions of some there are. */
    int size() {
        return updates.size();
    }

    /** Returns whether the connector has all of them behind it. */
    boolean isRead() {
        synchronized (lock) {
            return read >= updates.size();
        }
    }

    /** Returns how many answers came. */
    int answers() {
        synchronized (lock) {
            return answers;
        }
    }

    /** Returns how often a message was changed. */
    int changes() {
        synchronized (lock) {
            return changes;
        }
    }

    /** Returns how many keys came twice. */
    int doubled() {
        synchronized (lock) {
            return answers - ids.size();
        }
    }

    /** Returns the answers to a person in their order. */
    List<String> answers(String person) {
        synchronized (lock) {
            return posted.getOrDefault(person, List.of()).stream().map(Posted::text).toList();
        }
    }

    /** Returns what went wrong, and how often. */
    Map<String, Integer> faults() {
        synchronized (lock) {
            return Map.copyOf(faults);
        }
    }
}
