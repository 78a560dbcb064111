package palyra.sandbox.internal.wiring;

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
import palyra.api.tool.ToolInvocation;
import palyra.sandbox.internal.fetch.FetchTools;
import palyra.sandbox.internal.process.Configurations;
import palyra.shared.json.StrictJson;

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
