package palyra.console.internal.panel;

/**
 * A panel whose forms run commands, each of which is authorised and recorded by itself: the console
 * does not record the same change twice.
 */
public interface RecordsItself {}
