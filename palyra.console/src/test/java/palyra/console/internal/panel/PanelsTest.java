package palyra.console.internal.panel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.console.ConsolePanel;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSpec.Section;

class PanelsTest {
    private final Panels panels = new Panels();

    private record Titled(PanelSpec spec) implements ConsolePanel {
        @Override
        public PanelPage show(PanelRequest request) {
            return PanelPage.of(spec.title(), "", List.of());
        }
    }

    private static ConsolePanel panel(String id, String title) {
        return new Titled(new PanelSpec(id, title, Section.WORK, 1, "run.list"));
    }

    @Test
    void aPanelOfAnotherBundleReplacesTheConsolesOwnAndGivesItBack() {
        ConsolePanel other = panel("health", "Theirs");
        panels.addOwn(panel("health", "Ours"));
        panels.add(other, Map.of("service.id", 7L));
        assertEquals("Theirs", panels.spec("health").orElseThrow().title());
        assertEquals(1, panels.specs().size());
        panels.remove(other);
        assertEquals("Ours", panels.spec("health").orElseThrow().title());
    }

    @Test
    void leavesOutAPanelWhoseSpecificationFails() {
        panels.add(
                new ConsolePanel() {
                    @Override
                    public PanelSpec spec() {
                        throw new IllegalStateException("no");
                    }

                    @Override
                    public PanelPage show(PanelRequest request) {
                        throw new AssertionError();
                    }
                },
                Map.of());
        assertTrue(panels.specs().isEmpty());
        PalyraException gone =
                assertThrows(PalyraException.class, () -> panels.call("x", ConsolePanel::spec));
        assertEquals(ErrorCode.NOT_FOUND, gone.code());
    }
}
