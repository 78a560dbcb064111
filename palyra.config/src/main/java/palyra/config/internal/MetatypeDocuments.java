package palyra.config.internal;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.shared.bundles.BundleEntries;

/**
 * Reads details from the metatype documents of a bundle that the metatype service does not offer,
 * such as bounds.
 */
final class MetatypeDocuments {
    private static final String FOLDER = "OSGI-INF/metatype";
    private static final Logger LOG = LoggerFactory.getLogger(MetatypeDocuments.class);

    private final Map<String, Map<String, Details>> byClass;

    /**
     * More about an attribute.
     *
     * @param bounds smallest and largest
     * @param mayLack whether the attribute may be absent: it has a default, which may be empty, or
     *     no document describes it. Older bundles declare every attribute of a provider as
     *     required.
     * @param defaults the default as written, also outside the bounds, where the metatype service
     *     omits it; empty without a default
     */
    record Details(Attribute.Bounds bounds, boolean mayLack, String defaults) {
        static final Details NONE = new Details(Attribute.Bounds.OPEN, true, "");
    }

    private MetatypeDocuments(Map<String, Map<String, Details>> byClass) {
        this.byClass = byClass;
    }

    /** Reads a resolved bundle's documents; one that cannot be read adds nothing. */
    static MetatypeDocuments of(Bundle bundle) {
        Map<String, Map<String, Details>> found = new HashMap<>();
        for (URL url : BundleEntries.find(bundle, FOLDER, "*.xml")) {
            try (InputStream in = url.openStream()) {
                read(in, found);
            } catch (IOException | XMLStreamException e) {
                LOG.debug("{} has a metatype document that cannot be read.", bundle, e);
            }
        }
        return new MetatypeDocuments(found);
    }

    /** Returns the details of an attribute of an object class. */
    Details details(String objectClass, String attribute) {
        return byClass.getOrDefault(objectClass, Map.of()).getOrDefault(attribute, Details.NONE);
    }

    private static void read(InputStream in, Map<String, Map<String, Details>> found)
            throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader xml = factory.createXMLStreamReader(in);
        Map<String, Details> current = new HashMap<>();
        while (xml.hasNext()) {
            if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                continue;
            }
            if (xml.getLocalName().equals("OCD")) {
                current = found.computeIfAbsent(value(xml, "id"), id -> new HashMap<>());
            } else if (xml.getLocalName().equals("AD")) {
                current.put(value(xml, "id"), details(xml));
            }
        }
        xml.close();
    }

    private static Details details(XMLStreamReader xml) {
        return new Details(
                new Attribute.Bounds(value(xml, "min"), value(xml, "max")),
                xml.getAttributeValue(null, "default") != null,
                value(xml, "default"));
    }

    private static String value(XMLStreamReader xml, String attribute) {
        String value = xml.getAttributeValue(null, attribute);
        return value == null ? "" : value.strip();
    }
}
