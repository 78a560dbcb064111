package palyra.api.console;

import java.util.Map;
import palyra.api.Require;
import palyra.api.access.Permit;
import palyra.api.access.Principal;

/**
 * A reader's request for a page of a panel.
 *
 * @param principal the reader
 * @param permit for {@link PanelSpec#action}
 * @param path what follows the panel's id in the address, without slashes at its ends; empty for
 *     the panel's first page. At most 512 characters; not to be trusted
 * @param parameters of the address, the first value of each; not to be trusted
 */
public record PanelRequest(
        Principal principal, Permit permit, String path, Map<String, String> parameters) {
    /** Checks and copies. */
    public PanelRequest {
        Require.present(principal, "principal");
        Require.present(permit, "permit");
        path = Require.orEmpty(path);
        parameters = Map.copyOf(parameters);
    }

    /** Returns a parameter; empty when it is absent. */
    public String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }
}
