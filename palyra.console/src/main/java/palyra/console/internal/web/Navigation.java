package palyra.console.internal.web;

import java.util.List;
import palyra.console.internal.session.Viewer;

/** What a viewer's navigation shows. */
@FunctionalInterface
public interface Navigation {
    /**
     * Returns the sections.
     *
     * @param path path of the page that is shown
     */
    List<Frame.NavigationSection> sections(Viewer viewer, String path);
}
