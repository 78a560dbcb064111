package palyra.console.internal.panel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.console.Block;
import palyra.console.internal.web.Exchange;

/** What a request says about a form of a panel. */
final class PanelForms {
    private PanelForms() {}

    /** Refuses a form whose question was not answered with yes. */
    static void requireConfirmed(Exchange exchange, Block.Form form) {
        if (!form.confirm().isEmpty() && !exchange.parameter("confirmed").equals("yes")) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "This needs a confirmation: tick the box below the question, then press the"
                            + " button again.");
        }
    }

    /** Returns the form of a page as the page shows it now. */
    static Block.Form form(List<Block> blocks, String id) {
        return find(blocks, id)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.CONFLICT,
                                        "The page has no form '"
                                                + id
                                                + "' any more; what it shows has changed, or your"
                                                + " rights have. Load it again."));
    }

    private static Optional<Block.Form> find(List<Block> blocks, String id) {
        for (Block block : blocks) {
            if (block instanceof Block.Form form && form.id().equals(id)) {
                return Optional.of(form);
            }
            if (block instanceof Block.Details details) {
                Optional<Block.Form> inner = find(details.blocks(), id);
                if (inner.isPresent()) {
                    return inner;
                }
            }
        }
        return Optional.empty();
    }

    /** Returns what was entered in the fields of a form, and nothing else of the request. */
    static Map<String, String> fields(Exchange exchange, Block.Form form) {
        Map<String, String> fields = new HashMap<>();
        for (Block.Field field : form.fields()) {
            String value =
                    field.kind() == Block.FieldKind.CHECK
                            ? String.valueOf(!exchange.parameter(field.name()).isEmpty())
                            : exchange.parameter(field.name()).replace("\r\n", "\n");
            fields.put(field.name(), value);
        }
        return fields;
    }
}
