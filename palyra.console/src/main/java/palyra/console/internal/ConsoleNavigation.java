package palyra.console.internal;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSpec.Section;
import palyra.console.internal.panel.PanelPages;
import palyra.console.internal.session.Viewer;
import palyra.console.internal.web.Frame.NavigationLink;
import palyra.console.internal.web.Frame.NavigationSection;
import palyra.console.internal.web.Navigation;

/** The console's own pages, then the panels that a viewer may read. */
final class ConsoleNavigation implements Navigation {
    private static final Map<String, String> OWN =
            new TreeMap<>(
                    Map.of(
                            "/console/", "Overview",
                            "/console/chat", "Chat",
                            "/console/runs", "Runs",
                            "/console/sessions", "Sessions"));
    private static final Map<Section, String> NAMES =
            Map.of(
                    Section.WORK, "Work",
                    Section.CONTROL, "Control",
                    Section.SYSTEM, "System");

    private final PanelPages panels;

    ConsoleNavigation(PanelPages panels) {
        this.panels = panels;
    }

    @Override
    public List<NavigationSection> sections(Viewer viewer, String path) {
        Map<Section, List<NavigationLink>> links = new EnumMap<>(Section.class);
        for (Section section : Section.values()) {
            links.put(section, new ArrayList<>());
        }
        OWN.forEach((address, title) -> links.get(Section.WORK).add(link(title, address, path)));
        if (panels.may(viewer.principal(), "policy.read")) {
            links.get(Section.CONTROL).add(link("Policies", "/console/policies", path));
        }
        for (PanelSpec spec : panels.readable(viewer.principal())) {
            links.get(spec.section()).add(link(spec.title(), "/console/panel/" + spec.id(), path));
        }
        return links.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(entry -> new NavigationSection(NAMES.get(entry.getKey()), entry.getValue()))
                .toList();
    }

    private static NavigationLink link(String title, String address, String path) {
        boolean current =
                address.equals("/console/")
                        ? path.equals("/console") || path.equals("/console/")
                        : path.equals(address) || path.startsWith(address + "/");
        return new NavigationLink(title, address, current);
    }
}
