package palyra.shell.internal.host;

import java.util.Set;

/**
 * A command with options of one dash, which its spec does not list. Those that were given come
 * first among its positional arguments.
 */
public interface ShortOptions {
    /** Returns them, such as {@code -s}. */
    Set<String> shortOptions();
}
