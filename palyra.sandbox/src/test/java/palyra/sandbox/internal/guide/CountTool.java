package palyra.sandbox.internal.guide;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;
import palyra.api.core.access.CallFacts;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolResult;

/** The confined tool of the integrator guide; the guide shows what follows word for word. */
@Component(service = Tool.class, immediate = true)
public final class CountTool implements ConfinedTool {
    private static final Path NOTES = Path.of("/srv/acme/notes");

    @Override
    public ToolDescriptor descriptor() {
        return new ToolDescriptor(
                "acme.count_notes",
                "Counts the notes.",
                "{\"type\":\"object\",\"additionalProperties\":false}",
                Set.of(Capability.FILESYSTEM_READ),
                true,
                true,
                5_000,
                1_024);
    }

    @Override
    public ToolExamination examine(ToolProposed proposed) {
        return proposed.inputJson().strip().equals("{}")
                ? ToolExamination.facts(facts())
                : ToolExamination.refused("acme.input", "The tool takes no fields; send {}.");
    }

    private static CallFacts facts() {
        Set<String> none = Set.of();
        Set<String> read = Set.of(NOTES.toString());
        return new CallFacts("", "", none, 0, none, Set.of(), none, read, none, none);
    }

    @Override
    public ConfinedResult run(ToolOrder order) throws Exception {
        try (Stream<Path> notes = Files.list(NOTES)) {
            ToolResult result = ToolResult.of("{\"notes\":" + notes.count() + "}");
            return new ConfinedResult(
                    Outcome.SUCCEEDED, result, "builtin", "strict fs=one-folder", "");
        }
    }
}
