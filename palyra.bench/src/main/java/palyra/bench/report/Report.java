package palyra.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints one line for each figure as it comes, and keeps everything for the raw file. Used by one
 * thread.
 */
public final class Report {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss").withZone(ZoneOffset.UTC);

    private final Machine machine;
    private final Path folder;
    private final PrintStream out;
    private final Instant began;
    private final List<Figure> figures = new ArrayList<>();
    private final Map<String, String> facts = new LinkedHashMap<>();

    /** Begins a report whose raw file will be in {@code folder}. */
    public Report(Machine machine, Path folder, Instant began, PrintStream out) {
        this.machine = machine;
        this.folder = folder;
        this.began = began;
        this.out = out;
    }

    /** Adds a figure and prints its line. */
    public void add(Figure figure) {
        figures.add(figure);
        out.println(figure.line(machine));
        out.flush();
    }

    /** Adds a fact that explains figures, to the raw file only. */
    public void fact(String name, String value) {
        facts.put(name, value);
    }

    /** Returns a file beside the raw file, for what another tool writes. */
    public Path beside(String suffix) throws IOException {
        Files.createDirectories(folder);
        return folder.resolve("bench-" + NAME.format(began) + "-" + suffix);
    }

    /** Writes the raw file and returns it. */
    public Path write() throws IOException {
        ObjectNode root = JSON.createObjectNode();
        root.put("began", began.toString());
        root.set("machine", JSON.valueToTree(machine));
        root.set("facts", JSON.valueToTree(facts));
        ArrayNode list = root.putArray("figures");
        figures.forEach(figure -> list.add(node(figure)));
        Files.createDirectories(folder);
        Path file = folder.resolve("bench-" + NAME.format(began) + ".json");
        JSON.writeValue(file.toFile(), root);
        return file;
    }

    private ObjectNode node(Figure figure) {
        ObjectNode node = JSON.createObjectNode().put("name", figure.name());
        node.put("unit", figure.ours().unit());
        node.set("ours", node(figure.ours()));
        node.put("peer", figure.peer());
        node.set("theirs", node(figure.theirs()));
        node.put("ratio", figure.ratio());
        node.put("goal", figure.goal().text(figure.ours().unit()));
        node.put("met", figure.met());
        return node.put("line", figure.line(machine));
    }

    private static ObjectNode node(Measure measure) {
        ObjectNode node = JSON.createObjectNode();
        node.put("median", measure.median()).put("min", measure.min()).put("max", measure.max());
        ArrayNode runs = node.putArray("runs");
        measure.runs().forEach(runs::add);
        return node;
    }
}
