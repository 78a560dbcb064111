package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;

/**
 * Bad input on every command: a sentence that helps, the exit code that is documented, no change.
 */
public class BadInputIT {
    /** What says who asked, and that it was refused. */
    private static final Set<String> DECISIONS =
            Set.of("access_decision", "access_denials_counted", "sandbox_run_refused");

    @ClassRule public static final SharedGateway GATEWAY = new SharedGateway();

    private static Path noJar;

    @Before
    public void oneRun() throws IOException {
        if (noJar == null || !Files.exists(noJar)) { // a second try has a gateway of its own
            GATEWAY.client().run("ask", "hello").ok();
            noJar = Files.writeString(GATEWAY.folder().resolve("no.jar"), "this is no jar");
        }
    }

    private static Set<String> commands() throws IOException {
        Set<String> names = new TreeSet<>();
        GATEWAY.client()
                .run("help", "--json")
                .ok()
                .json()
                .forEach(row -> names.add(row.path("command").asText()));
        return names;
    }

    @Test
    public void everyCommandIsGivenBadInputHere() throws Exception {
        Set<String> known = commands();
        Set<String> covered = new TreeSet<>(BadInput.WITHOUT_FURTHER_INPUT);
        table().forEach(bad -> covered.add(bad.command(known)));
        covered.retainAll(known);
        assertEquals("a new command needs its lines in the table", known, covered);
    }

    @Test
    public void everyCommandRefusesAnUnknownOptionAndSurplusWords() throws Exception {
        List<BadInput> all = new ArrayList<>();
        for (String command : commands()) {
            all.add(bad(command, "--nonsense"));
            all.add(bad(command, "--nonsense=1"));
            if (!BadInput.TAKE_WORDS.contains(command)) {
                all.add(bad(command, "a", "b", "c", "d"));
            }
        }
        long records = journalRecords();
        refuses(all);
        assertEquals("what cannot be understood is not even asked", records, journalRecords());
    }

    private static BadInput bad(String command, String... further) {
        List<String> argv = new ArrayList<>(Arrays.asList(command.split(" ", -1)));
        argv.addAll(List.of(further));
        return BadInput.usage(argv.toArray(String[]::new));
    }

    @Test
    public void everyCommandRefusesWhatItCannotUse() throws Exception {
        refuses(table());
    }

    private static List<BadInput> table() {
        return Stream.of(BadInput.table(noJar), BadSkillInput.table(noJar))
                .flatMap(List::stream)
                .toList();
    }

    private static void refuses(List<BadInput> all) throws IOException {
        String before = everything();
        long records = journalRecords();
        List<String> breaches = new ArrayList<>();
        for (BadInput bad : all) {
            look(bad, GATEWAY.client().run(bad.argv().toArray(String[]::new)), breaches);
        }
        assertEquals("", String.join("\n", breaches));
        assertEquals("nothing changed", before, everything());
        List<JsonNode> added =
                GATEWAY.client()
                        .run(
                                "tape",
                                "show",
                                "journal",
                                "--from",
                                Long.toString(records + 1),
                                "--json")
                        .ok()
                        .lines();
        for (JsonNode record : added) {
            assertTrue(record.toString(), DECISIONS.contains(record.path("type").asText()));
        }
        assertTrue(GATEWAY.process().alive());
    }

    private static void look(BadInput bad, CommandClient.Result result, List<String> breaches) {
        String line = brief(String.join(" ", bad.argv())) + " → " + brief(result.toString());
        if (result.exit() != bad.exit()) {
            breaches.add("exit " + result.exit() + " instead of " + bad.exit() + ": " + line);
        }
        boolean sentence =
                (result.err().startsWith("palyra: ")
                                || result.err().startsWith("{\"error\":{\"code\":\""))
                        && result.err().lines().count() == 1
                        && result.err().trim().length() > 25
                        && result.err().length() < 600;
        if (!sentence || !result.out().isEmpty()) {
            breaches.add("no helpful sentence: " + line);
        }
        boolean insides = result.err().contains("\tat ") || result.err().contains("java.lang.");
        if (insides) {
            breaches.add("shows its insides: " + line);
        }
    }

    private static String brief(String text) {
        return text.length() <= 300 ? text : text.substring(0, 300) + "…";
    }

    private static long journalRecords() throws IOException {
        return GATEWAY.client().run("tape", "show", "journal", "--json").ok().lines().size();
    }

    /** What a person can see of the state; the run's tape included. */
    private static String everything() throws IOException {
        StringBuilder all = new StringBuilder();
        for (List<String> argv :
                List.of(
                        List.of("agents", "list"),
                        List.of("agents", "show", "default"),
                        List.of("agents", "bindings"),
                        List.of("access", "tokens"),
                        List.of("access", "keys"),
                        List.of("sessions", "list", "--archived"),
                        List.of("runs"),
                        List.of("tape", "show", "last"),
                        List.of("config", "list", "--all"),
                        List.of("bundles"))) {
            List<String> json = new ArrayList<>(argv);
            json.add("--json");
            all.append(argv).append(GATEWAY.client().run(json.toArray(String[]::new)).ok().out());
        }
        return all.toString();
    }
}
