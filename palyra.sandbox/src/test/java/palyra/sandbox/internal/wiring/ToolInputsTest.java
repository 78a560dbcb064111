package palyra.sandbox.internal.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.sandbox.internal.fetch.FetchTools;
import palyra.sandbox.internal.process.Configurations;
import palyra.shared.json.StrictJson;
import palyra.shared.tool.ToolMentions;

/** What the tools declare to a model is what they read, for every one of them. */
@Timeout(300)
class ToolInputsTest {
    private static final String AGENT = "agent-1";

    @TempDir Path folder;
    private SandboxParts parts;
    private final List<Tool> tools = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        parts =
                new SandboxParts(
                        Configurations.settings(
                                folder.resolve("workspaces"), Map.of("allowInterpreters", true)),
                        List.of(Files.createDirectory(folder.resolve("state"))),
                        Map.of());
        Path workspace = Files.createDirectories(folder.resolve("workspaces/" + AGENT));
        Files.writeString(workspace.resolve("x"), "x\n");
        tools.addAll(parts.tools());
        tools.add(FetchTools.examining());
    }

    @AfterEach
    void close() {
        parts.close();
    }

    /** A remedy that names a tool which the agent does not have sends a model in circles. */
    @Test
    void textsNameNoToolThatAnAgentDoesNotHave() {
        List<ToolDescriptor> all = tools.stream().map(Tool::descriptor).toList();
        for (ToolDescriptor tool : all) {
            ToolDescriptor alone = ToolMentions.offered(all, List.of(tool.name())).get(0);
            Set<String> others = all.stream().map(ToolDescriptor::name).collect(Collectors.toSet());
            others.remove(tool.name());
            assertFalse(ToolMentions.names(alone.description(), others), alone.description());
            assertFalse(ToolMentions.names(alone.inputSchemaJson(), others), tool.name());
            String first = tool.description().substring(0, tool.description().indexOf(". ") + 1);
            assertTrue(alone.description().startsWith(first), alone.description());
            assertTrue(alone.description().contains("{"), "no example: " + alone.description());
        }
    }

    /** What is said of one call cannot know the others: only descriptions name other tools. */
    @Test
    void errorsAndNotesNameNoOtherTool() throws Exception {
        Set<String> names =
                tools.stream().map(tool -> tool.descriptor().name()).collect(Collectors.toSet());
        String described =
                tools.stream()
                        .map(tool -> tool.descriptor().toString())
                        .collect(Collectors.joining());
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path source : sources.filter(one -> one.toString().endsWith(".java")).toList()) {
                for (String literal : literals(Files.readString(source))) {
                    assertTrue(
                            !ToolMentions.names(literal, names)
                                    || names.contains(literal)
                                    || described.contains(literal.strip())
                                    || source.endsWith("RunCommand.java"), // read by operators
                            source + ": " + literal);
                }
            }
        }
    }

    private static List<String> literals(String source) {
        return Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"")
                .matcher(source.replaceAll("(?s)/\\*.*?\\*/", ""))
                .results()
                .map(found -> found.group(1).replace("\\\"", "\""))
                .toList();
    }

    private static JsonNode schema(Tool tool) {
        return StrictJson.parse(tool.descriptor().inputSchemaJson(), "a schema");
    }

    /** Returns an input with the required fields alone. */
    private static ObjectNode smallest(Tool tool) {
        ObjectNode input = JsonNodeFactory.instance.objectNode();
        schema(tool)
                .path("required")
                .forEach(
                        name ->
                                input.put(
                                        name.textValue(),
                                        name.textValue().equals("url") ? "http://a.test/" : "x"));
        return input;
    }

    /** Returns why the input is refused; empty when it is not. */
    private static String refusal(Tool tool, JsonNode input) throws Exception {
        String name = tool.descriptor().name();
        if (tool instanceof ConfinedTool confined) {
            return confined.examine(
                                    new ToolProposed(
                                            name, input.toString(), "s-1", "user:anna", AGENT))
                            instanceof ToolExamination.Refused refused
                    ? refused.reason()
                    : "";
        }
        try {
            tool.execute(
                    new ToolInvocation(
                            "c-1",
                            1,
                            "r-1",
                            "s-1",
                            "user:anna",
                            input.toString(),
                            System.currentTimeMillis() + 60_000));
            return "";
        } catch (PalyraException e) {
            return e.getMessage();
        }
    }

    /** A value that fits no field: one that is declared and not read would let it pass. */
    @Test
    void everyDeclaredFieldIsReadAndNamedWhenItIsWrong() throws Exception {
        for (Tool tool : tools) {
            String name = tool.descriptor().name();
            for (Map.Entry<String, JsonNode> field : schema(tool).path("properties").properties()) {
                ObjectNode input = smallest(tool);
                input.putArray(field.getKey()).addArray();
                String refusal = refusal(tool, input);
                assertTrue(
                        refusal.startsWith(name + " got '" + field.getKey() + "'"),
                        name + " " + field.getKey() + ": " + refusal);
                assertFalse(
                        field.getValue().path("description").asText().isEmpty(),
                        name + " says nothing about " + field.getKey());
            }
        }
    }

    /** Reading an undeclared field throws. */
    @Test
    void noUndeclaredFieldIsRead() throws Exception {
        for (Tool tool : tools) {
            String refusal = refusal(tool, smallest(tool));
            assertFalse(refusal.contains(" got '"), refusal);
        }
    }

    /** When to use it, and an input that it takes. */
    @Test
    void everyToolSaysWhatItIsForAndGivesAnExample() throws Exception {
        for (Tool tool : tools) {
            String name = tool.descriptor().name();
            String description = tool.descriptor().description();
            assertTrue(description.contains("Use it "), name + ": " + description);
            assertTrue(description.length() <= 1_500, name + ": " + description.length());
            String[] parts = description.split("Example: ", -1);
            assertEquals(2, parts.length, name);
            ObjectNode example = (ObjectNode) StrictJson.parse(parts[1], "the example of " + name);
            example.fieldNames()
                    .forEachRemaining(
                            field ->
                                    assertTrue(
                                            schema(tool).path("properties").has(field),
                                            name + " has no " + field));
            String refusal = refusal(tool, example);
            assertFalse(refusal.contains(" got '") || refusal.contains(" needs "), refusal);
        }
    }

    @Test
    void descriptionsHaveTheConfiguredLimitsAndHosts() {
        String before = description("palyra.process.run");
        assertTrue(before.contains("It may take 120 s, with timeout_ms up to 120 s."), before);
        assertTrue(before.contains("There is no network but for hosts that you name"), before);
        parts.use(
                Configurations.settings(
                        folder.resolve("workspaces"),
                        Map.of(
                                "defaultWallMillis",
                                1_500L,
                                "allowedHosts",
                                new String[] {"a.example", "b.example:81"},
                                "outputFileBytes",
                                0L,
                                "maxBackground",
                                7)));
        for (String tool : List.of("palyra.process.run", "palyra.process.shell")) {
            String after = description(tool);
            assertTrue(after.contains("It may take 1500 ms, with timeout_ms up to 120 s."), after);
            assertTrue(after.contains("It reaches a.example, b.example:81; name other"), after);
            assertFalse(after.contains("stdout_file"), after);
        }
        String start = description("palyra.process.start");
        assertTrue(
                start.contains("within 600 s; and after 120 s, or timeout_ms. At most 7"), start);
    }

    private String description(String tool) {
        return tools.stream()
                .map(Tool::descriptor)
                .filter(descriptor -> descriptor.name().equals(tool))
                .findFirst()
                .orElseThrow()
                .description();
    }

    @Test
    void aHostThatIsNoneIsNamedByItsField() throws Exception {
        for (Tool tool : tools) {
            if (schema(tool).path("properties").has("hosts")) {
                ObjectNode input = smallest(tool);
                input.putArray("hosts").add("a.example:no");
                assertEquals(
                        tool.descriptor().name()
                                + " got 'hosts' [\"a.example:no\"]; send each as HOST (port 443)"
                                + " or HOST:PORT, such as registry.example:8443",
                        refusal(tool, input));
            }
        }
    }

    @Test
    void aLineOfShellCanOutliveItsRun() {
        Tool shell =
                tools.stream()
                        .filter(tool -> tool.descriptor().name().equals("palyra.process.shell"))
                        .findFirst()
                        .orElseThrow();
        assertTrue(schema(shell).path("properties").has("outlive_run"));
    }
}
