package palyra.api.console;

import palyra.api.Require;

/**
 * What a panel is.
 *
 * @param id one lower-case word, at most 32 of {@code [a-z0-9-]}; its pages are at {@code
 *     /console/panel/ID}
 * @param title name in the navigation, at most 40 characters
 * @param section where in the navigation it appears
 * @param order position within the section, ascending; ties go by title
 * @param action policy action that a reader needs, such as {@code system.status}; never empty
 */
public record PanelSpec(String id, String title, Section section, int order, String action) {
    /** A section of the navigation. */
    public enum Section {
        /** Conversations, runs and approval requests. */
        WORK,
        /** Policies, skills and what they may do. */
        CONTROL,
        /** Channels, models, sandboxes, bundles, health. */
        SYSTEM
    }

    private static final int MAX_TITLE = 40;

    /** Checks. */
    public PanelSpec {
        Require.that(
                id != null && id.matches("[a-z][a-z0-9-]{0,31}"),
                "panel id '" + id + "' is not usable: one lower-case word of up to 32 characters");
        Require.text(title, "title of panel " + id);
        Require.that(
                title.length() <= MAX_TITLE,
                "the title of panel " + id + " is longer than " + MAX_TITLE + " characters");
        Require.present(section, "section of panel " + id);
        Require.text(action, "action of panel " + id);
    }
}
