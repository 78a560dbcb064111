package palyra.api.console;

import palyra.api.Require;

/**
 * What became of a form.
 *
 * @param level how it went
 * @param message one sentence
 * @param path page of the panel to show next, as in {@link PanelRequest#path}; empty for its first
 */
public record PanelResult(Level level, String message, String path) {
    /** Checks. */
    public PanelResult {
        Require.present(level, "level");
        Require.text(message, "message");
        path = Require.orEmpty(path);
    }

    /** Returns a success that leads to a page of the panel. */
    public static PanelResult done(String message, String path) {
        return new PanelResult(Level.GOOD, message, path);
    }
}
