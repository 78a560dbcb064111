package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.api.channel.Connector;
import palyra.itests.Dist;
import palyra.itests.OneTry;
import palyra.itests.Wait;
import palyra.itests.stories.TestBundle;

/**
 * People write to an agent through a connector of others, whose platform finds messages by their
 * keys. Whatever breaks, and whatever is killed or replaced meanwhile: each message is answered
 * once, in the order of its conversation, and of none it stays unknown whether it arrived; the
 * answers to half of the people are shown while they are made, and nothing of that is left. {@code
 * -Dpalyra.test.full=true} is the long form. The seed of each run is printed.
 */
public class ChannelChaosIT {
    private static final boolean FULL = Boolean.getBoolean("palyra.test.full");
    private static final Duration PATIENCE = Duration.ofSeconds(FULL ? 600 : 120);
    private static final int PEOPLE = FULL ? 100 : 20;
    private static final int EACH = FULL ? 100 : 20;
    private static final int UNDER_WAY = FULL ? 600 : 150; // written and not answered
    private static final int ROUNDS = FULL ? 6 : 1; // of two kills and one swap of each
    private static final String DENIED = DeskPlatform.person(0);
    private static final String CONNECTOR = "desk:main";
    private static final String BUNDLE = "org.example.desk";
    private static final String KILL = "kill -9";
    private static final String KILL_IN_SWAP = "kill -9 in a swap";
    private static final List<String> SWAPPED =
            List.of(BUNDLE, "palyra.channels", "palyra.gateway");

    @Rule public final OneTry once = new OneTry();
    @Rule public final TemporaryFolder temp = new TemporaryFolder();

    private final long seed = Long.getLong("palyra.test.seed", new Random().nextInt(1_000_000));
    private final Random random = new Random(seed);
    private final DeskPlatform platform = new DeskPlatform(PEOPLE, EACH, new Random(seed));
    private final int expected = (PEOPLE - 1) * EACH;
    private final Map<String, Integer> disturbances = new TreeMap<>();
    private Path home;
    private Path state;
    private Path jar;
    private GatewayProcess gateway;

    @Before
    public void start() throws Exception {
        System.out.println("The seed is " + seed + ".");
        Path root = temp.getRoot().toPath();
        jar = root.resolve(BUNDLE + "-1.0.0.jar");
        try (InputStream bytes = bundle()) {
            Files.copy(bytes, jar);
        }
        state = root.resolve("state");
        home = Dist.copy(root.resolve("home"), jar);
        configure(BUNDLE + "~main", "{\"url\":\"" + platform.url() + "\"}");
        configure("palyra.channels", "{\"firstDelayMillis\":20,\"longestDelayMillis\":500}");
        configure(
                "palyra.channels.route~people",
                "{\"connectors\":[\"desk:*\"],\"directMessages\":\"allow\",\"denyFrom\":[\""
                        + DENIED
                        + "\"]}");
        configure(
                "palyra.channels.route~shown",
                "{\"connectors\":[\"desk:*\"],\"directMessages\":\"allow\",\"priority\":1,"
                        + "\"streamAnswers\":true,\"conversations\":[\""
                        + IntStream.range(0, PEOPLE)
                                .filter(DeskPlatform::isShown)
                                .mapToObj(DeskPlatform::person)
                                .collect(Collectors.joining("\",\""))
                        + "\"]}");
        configure("palyra.models.deterministic", "{\"wordMillis\":40}");
        boot();
    }

    private static InputStream bundle() throws Exception {
        return new TestBundle(BUNDLE)
                .configured(DeskConnector.class, Connector.class, BUNDLE, "url")
                .header(
                        "Import-Package",
                        "palyra.api;version=\"[1.0,2)\",palyra.api.channel;version=\"[3.0,4)\"")
                .jar();
    }

    @After
    public void stop() {
        if (gateway != null) {
            gateway.close();
        }
        platform.close();
    }

    private void configure(String pid, String json) throws Exception {
        Path conf = Files.createDirectories(state.resolve("conf"));
        Files.writeString(conf.resolve(pid + ".json"), json);
    }

    private void boot() throws Exception {
        gateway = GatewayProcess.start(home, state).awaitReady();
    }

    @Test
    public void eachMessageIsAnsweredOnceAndInOrderWhateverHappens() throws Exception {
        long begun = System.nanoTime();
        List<String> plan = plan();
        List<Integer> moments = moments(plan.size());
        for (int i = 0; i < plan.size(); i++) {
            awaitAnswers(moments.get(i));
            disturb(plan.get(i));
        }
        awaitAnswers(expected);
        awaitRest();
        System.out.printf(
                "%d messages, %d repetitions of them, %d changes, %s, platform: %s, %d s%n",
                PEOPLE * EACH,
                platform.size() - PEOPLE * EACH,
                platform.changes(),
                disturbances,
                new TreeMap<>(platform.faults()),
                Duration.ofNanos(System.nanoTime() - begun).toSeconds());
        try {
            check();
        } catch (AssertionError e) {
            throw new AssertionError("The evidence is in " + evidence(), e);
        }
    }

    /** Keeps the state and what the platform heard; the rule removes the rest. */
    private Path evidence() throws Exception {
        gateway.kill();
        Path folder = Files.createDirectories(Path.of("target", "chaos-" + seed));
        Files.write(folder.resolve("heard.txt"), platform.heard());
        try (Stream<Path> files = Files.walk(state.resolve("journal"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(
                        file,
                        folder.resolve(file.getFileName()),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return folder.toAbsolutePath();
    }

    private List<String> plan() {
        List<String> plan = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            plan.addAll(List.of(KILL, KILL_IN_SWAP));
            plan.addAll(SWAPPED);
        }
        Collections.shuffle(plan, random);
        return plan;
    }

    private List<Integer> moments(int count) {
        return random.ints(count, 1, expected).sorted().boxed().toList();
    }

    private void disturb(String how) throws Exception {
        disturbances.merge(how, 1, Integer::sum);
        switch (how) {
            case KILL -> reboot();
            case KILL_IN_SWAP -> rebootInSwap(SWAPPED.get(random.nextInt(SWAPPED.size())));
            default -> swap(how).ok();
        }
    }

    private void reboot() throws Exception {
        gateway.kill();
        boot();
    }

    private CommandClient.Result swap(String bundle) throws IOException {
        Path build = bundle.equals(BUNDLE) ? jar : Dist.bundle(bundle);
        return gateway.client().run("swap", bundle, build.toString());
    }

    /** Kills it after some answers more, or when the swap is through. */
    private void rebootInSwap(String bundle) throws Exception {
        int until = platform.answers() + random.nextInt(20);
        FutureTask<CommandClient.Result> swap = new FutureTask<>(() -> swap(bundle));
        Thread swapping = Thread.ofPlatform().daemon().start(swap);
        Wait.until(
                "a moment of the swap",
                PATIENCE,
                () -> platform.answers() >= until || swap.isDone(),
                this::situation);
        reboot();
        swapping.join();
    }

    /** People write on while they are answered. */
    private void awaitAnswers(int count) throws Exception {
        Wait.until(
                count + " answers",
                PATIENCE,
                () -> {
                    int written = platform.answers() + UNDER_WAY;
                    platform.write(written * platform.size() / expected);
                    return platform.answers() >= count;
                },
                this::situation);
    }

    private String situation() {
        return "seed "
                + seed
                + ", answers "
                + platform.answers()
                + " of "
                + expected
                + ", "
                + disturbances
                + gateway.console();
    }

    private JsonNode rows(String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of("channels"));
        words.addAll(List.of(command));
        words.addAll(List.of("--limit", "1000", "--json"));
        return gateway.client().run(words.toArray(String[]::new)).ok().json();
    }

    /** All was taken in, and the gateway has nothing more to say. */
    private void awaitRest() throws Exception {
        platform.write(platform.size());
        Wait.until("all to be read", PATIENCE, platform::isRead, this::situation);
        Wait.until(
                "the last answers to be whole",
                PATIENCE,
                () -> IntStream.range(1, PEOPLE).allMatch(this::isWhole),
                this::situation);
        Wait.until(
                "nothing to wait",
                PATIENCE,
                () -> rows("outbox", CONNECTOR).isEmpty(),
                this::situation);
    }

    private static List<String> answers(int person) {
        return IntStream.range(0, EACH)
                .mapToObj(i -> "You said: " + DeskPlatform.text(person, i))
                .toList();
    }

    /** What is shown of an answer counts as an answer before it is one. */
    private boolean isWhole(int person) {
        List<String> came = platform.answers(DeskPlatform.person(person));
        return !came.isEmpty() && came.getLast().equals(answers(person).getLast());
    }

    private void check() throws Exception {
        for (int i = 1; i < PEOPLE; i++) {
            String person = DeskPlatform.person(i);
            assertEquals(
                    person + ", seed " + seed + ", last came " + platform.heardLast(person),
                    answers(i),
                    platform.answers(person));
        }
        assertTrue("no answer was shown while it was made", platform.changes() > PEOPLE);
        assertEquals(List.of(), platform.answers(DENIED));
        assertEquals("given up or unknown, seed " + seed, "[]", rows("dead").toString());
        assertEquals("each once, seed " + seed, EACH, rows("ignored").size());
        assertEquals("doubled, seed " + seed, 0, platform.doubled());
    }
}
