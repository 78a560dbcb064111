package palyra.config.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.osgi.framework.Bundle;
import org.osgi.service.metatype.AttributeDefinition;
import org.osgi.service.metatype.MetaTypeInformation;
import org.osgi.service.metatype.MetaTypeService;
import org.osgi.service.metatype.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.shared.bundles.BundleEntries;

/**
 * The PIDs that the bundles of this framework declare, by metatype documents and by metatype
 * providers. {@link #refresh} is called by one thread at a time; everything else by any.
 */
final class MetatypeCatalogue implements Catalogue {
    private static final Logger LOG = LoggerFactory.getLogger(MetatypeCatalogue.class);

    private final MetaTypeService metatype;
    private final Supplier<List<Bundle>> bundles;
    private final AtomicBoolean dirty = new AtomicBoolean(true);
    private final AtomicBoolean forgetful = new AtomicBoolean();
    private final Map<Long, Known> known = new HashMap<>();
    private volatile Map<String, Schema> schemas = Map.of();

    /** Declarations of a bundle when it was last read. */
    private record Known(long lastModified, List<Schema> schemas) {}

    MetatypeCatalogue(MetaTypeService metatype, Supplier<List<Bundle>> bundles) {
        this.metatype = metatype;
        this.bundles = bundles;
    }

    /** Marks the catalogue as outdated after a bundle event. Thread-safe. */
    void bundlesChanged() {
        dirty.set(true);
    }

    /**
     * Marks the catalogue as outdated after a metatype provider was added or removed. Thread-safe.
     */
    void providersChanged() {
        forgetful.set(true);
        dirty.set(true);
    }

    @Override
    public Optional<Schema> schema(String pid) {
        return Optional.ofNullable(schemas.get(pid));
    }

    @Override
    public Set<String> pids() {
        return schemas.keySet();
    }

    @Override
    public boolean refresh() {
        if (!dirty.getAndSet(false)) {
            return false;
        }
        if (forgetful.getAndSet(false)) {
            known.clear();
        }
        List<Bundle> all =
                bundles.get().stream().sorted(Comparator.comparing(Bundle::getBundleId)).toList();
        known.keySet().retainAll(all.stream().map(Bundle::getBundleId).toList());
        Map<String, Schema> found = new TreeMap<>();
        for (Bundle bundle : all) {
            declared(bundle).forEach(schema -> found.putIfAbsent(schema.pid(), schema));
        }
        schemas = Map.copyOf(found);
        return true;
    }

    private List<Schema> declared(Bundle bundle) {
        Optional<Bundle> wired = BundleEntries.view(bundle);
        if (wired.isEmpty()) {
            return List.of(); // it is read after its resolved event
        }
        Known before = known.get(bundle.getBundleId());
        if (before == null || before.lastModified() != bundle.getLastModified()) {
            before = new Known(bundle.getLastModified(), read(wired.get()));
            known.put(bundle.getBundleId(), before);
        }
        return before.schemas();
    }

    private List<Schema> read(Bundle bundle) {
        List<Schema> read = new ArrayList<>();
        try {
            MetaTypeInformation information = metatype.getMetaTypeInformation(bundle);
            if (information == null) {
                return List.of();
            }
            MetatypeDocuments documents = MetatypeDocuments.of(bundle);
            for (String pid : orNone(information.getPids())) {
                read.add(schema(bundle, information, documents, pid, false));
            }
            for (String pid : orNone(information.getFactoryPids())) {
                read.add(schema(bundle, information, documents, pid, true));
            }
        } catch (RuntimeException e) {
            LOG.warn("The metatype of {} cannot be read.", bundle.getSymbolicName(), e);
        }
        return List.copyOf(read);
    }

    private static Schema schema(
            Bundle bundle,
            MetaTypeInformation information,
            MetatypeDocuments documents,
            String pid,
            boolean factory) {
        ObjectClassDefinition definition = information.getObjectClassDefinition(pid, null);
        Map<String, Attribute> attributes = new HashMap<>();
        Set<String> required = ids(definition, ObjectClassDefinition.REQUIRED);
        for (AttributeDefinition one : definitions(definition, ObjectClassDefinition.ALL)) {
            MetatypeDocuments.Details details = documents.details(definition.getID(), one.getID());
            attributes.put(one.getID(), attribute(one, details, required.contains(one.getID())));
        }
        return new Schema(pid, bundle.getSymbolicName(), factory, attributes);
    }

    private static Attribute attribute(
            AttributeDefinition definition, MetatypeDocuments.Details details, boolean required) {
        int cardinality = definition.getCardinality();
        // The negation of the smallest int is negative again.
        int limit = Math.abs(Math.max(cardinality, -Integer.MAX_VALUE));
        AttributeType type = AttributeType.of(definition.getType());
        List<String> defaults = orNone(definition.getDefaultValue());
        if (defaults.isEmpty() && limit == 0 && type.isNumber() && !details.defaults().isEmpty()) {
            defaults = List.of(details.defaults());
        }
        boolean mayLack = details.mayLack() || !defaults.isEmpty() || limit > 0;
        return new Attribute(
                definition.getID(),
                type,
                limit,
                required && !mayLack,
                defaults,
                orNone(definition.getOptionValues()),
                details.bounds(),
                value -> judge(definition, limit > 0, value));
    }

    /** In lists a comma separates values and a backslash escapes. */
    private static String judge(AttributeDefinition definition, boolean list, String value) {
        try {
            return definition.validate(
                    list ? value.replace("\\", "\\\\").replace(",", "\\,") : value);
        } catch (RuntimeException e) {
            return "the check of the declaring bundle failed";
        }
    }

    private static Set<String> ids(ObjectClassDefinition definition, int filter) {
        return Set.copyOf(
                definitions(definition, filter).stream().map(AttributeDefinition::getID).toList());
    }

    private static List<AttributeDefinition> definitions(
            ObjectClassDefinition definition, int filter) {
        return orNone(definition == null ? null : definition.getAttributeDefinitions(filter));
    }

    private static <T> List<T> orNone(T[] values) {
        return values == null ? List.of() : List.of(values);
    }
}
