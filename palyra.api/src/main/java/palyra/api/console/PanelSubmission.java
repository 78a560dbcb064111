package palyra.api.console;

import java.util.Map;
import palyra.api.Require;
import palyra.api.access.Permit;
import palyra.api.access.Principal;

/**
 * A form that a person sent.
 *
 * @param principal the person
 * @param permit for {@link Block.Form#action}; it was recorded before
 * @param path of the page that showed the form, as in {@link PanelRequest#path}
 * @param form {@link Block.Form#id}
 * @param fields what was entered, by {@link Block.Field#name}; only fields of the form as the panel
 *     shows it at the time of the submission. Text forms leave the values out, as they may be
 *     secrets
 */
public record PanelSubmission(
        Principal principal, Permit permit, String path, String form, Map<String, String> fields) {
    /** Checks and copies. */
    public PanelSubmission {
        Require.present(principal, "principal");
        Require.present(permit, "permit");
        path = Require.orEmpty(path);
        Require.text(form, "form");
        fields = Map.copyOf(fields);
    }

    /** Returns a field; empty when it is absent. */
    public String field(String name) {
        return fields.getOrDefault(name, "");
    }

    @Override
    public String toString() {
        return "PanelSubmission[" + form + " by " + principal.id() + ", fields withheld]";
    }
}
