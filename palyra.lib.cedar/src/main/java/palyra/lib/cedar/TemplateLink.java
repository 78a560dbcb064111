package palyra.lib.cedar;

import java.util.Map;
import java.util.Objects;

/**
 * A policy made of a template by filling its slots.
 *
 * @param id the id of the new policy; no other policy or link may have it
 * @param templateId the template: its {@link CompiledPolicy#id()} or its {@code @id}
 * @param values slots ({@code ?principal}, {@code ?resource}) and what fills them
 */
public record TemplateLink(String id, String templateId, Map<String, EntityRef> values) {
    /** Copies the values. */
    public TemplateLink {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(templateId, "templateId");
        values = Map.copyOf(values);
    }
}
