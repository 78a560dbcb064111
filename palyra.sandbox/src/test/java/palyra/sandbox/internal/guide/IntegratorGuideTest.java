package palyra.sandbox.internal.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolProposed;

/** What the integrator guide shows about sandboxes is what is compiled here, and it works. */
class IntegratorGuideTest {
    private static final Path SOURCES = Path.of("src/test/java/palyra/sandbox/internal/guide");

    private static void shown(String name) throws IOException {
        String source = Files.readString(SOURCES.resolve(name + ".java"));
        String imports =
                source.lines()
                        .filter(line -> line.startsWith("import "))
                        .collect(Collectors.joining("\n"));
        String example =
                "package org.example.acme.internal;\n\n"
                        + imports
                        + "\n\n"
                        + source.substring(source.indexOf("@Component("));
        String guide = Files.readString(Path.of("../docs/integrator-guide.md"));
        assertTrue(
                guide.contains("```java\n" + example + "```"),
                "docs/integrator-guide.md does not show " + name + " as it is compiled");
    }

    @Test
    void theGuideShowsWhatIsCompiled() throws IOException {
        shown("CountTool");
        shown("JailBackend");
    }

    @Test
    void theToolTellsWhatItWouldReadAndRefusesAnOddInput() {
        CountTool tool = new CountTool();
        String name = tool.descriptor().name();
        ToolExamination told = tool.examine(new ToolProposed(name, "{}", "s", "user:a", "agent"));
        assertEquals(
                Set.of("/srv/acme/notes"),
                assertInstanceOf(ToolExamination.Facts.class, told).facts().readPaths());
        assertInstanceOf(
                ToolExamination.Refused.class,
                tool.examine(new ToolProposed(name, "{\"x\":1}", "s", "user:a", "agent")));
    }

    @Test
    void theBackendPutsTheCommandBehindItsJailAndRefusesWhatItCannot() {
        AtomicReference<LaunchPlan> launched = new AtomicReference<>();
        JailBackend backend = new JailBackend(launcher(launched));
        backend.start(spec(Egress.STRICT));
        List<String> argv = launched.get().argv();
        assertEquals(List.of("--", "/bin/true"), argv.subList(argv.size() - 2, argv.size()));
        assertTrue(launched.get().enforcement().startsWith("strict "));
        PalyraException refused =
                assertThrows(PalyraException.class, () -> backend.start(spec(Egress.NONE)));
        assertEquals(ErrorCode.DENIED, refused.code());
    }

    private static SandboxSpec spec(Egress egress) {
        return new SandboxSpec(
                "call",
                List.of("/bin/true"),
                Map.of(),
                "/w",
                "/w",
                List.of(),
                List.of(),
                egress,
                Optional.empty(),
                Set.of(),
                SandboxLimits.DEFAULT,
                Set.of(),
                false);
    }

    private static ProcessLauncher launcher(AtomicReference<LaunchPlan> launched) {
        return new ProcessLauncher() {
            @Override
            public SandboxProcess launch(LaunchPlan plan) {
                launched.set(plan);
                return null;
            }

            @Override
            public HostFacts host() {
                throw new UnsupportedOperationException("the example does not ask");
            }

            @Override
            public HostFacts refresh() {
                return host();
            }
        };
    }
}
