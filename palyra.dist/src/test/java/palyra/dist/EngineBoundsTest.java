package palyra.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The bounds that the built gateway declares to {@code config check} are those it checks. */
class EngineBoundsTest {
    private static final String SETTINGS = "palyra.gateway.internal.settings.";

    private URLClassLoader loader;
    private Class<?> configuration;
    private Method from;
    private Document metatype;

    @BeforeEach
    void open() throws Exception {
        List<URL> jars = new ArrayList<>();
        for (String bundle : List.of("palyra.gateway", "palyra.api", "palyra.api.core")) {
            jars.add(Product.bundle(bundle).toUri().toURL());
        }
        loader = new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        configuration = loader.loadClass(SETTINGS + "EngineConfiguration");
        from = loader.loadClass(SETTINGS + "EngineSettings").getMethod("from", configuration);
        try (InputStream in = loader.getResourceAsStream("OSGI-INF/metatype/palyra.gateway.xml")) {
            metatype = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
        }
    }

    @AfterEach
    void close() throws Exception {
        loader.close();
    }

    private Element declared(String key) {
        NodeList all = metatype.getElementsByTagName("AD");
        for (int i = 0; i < all.getLength(); i++) {
            Element one = (Element) all.item(i);
            if (one.getAttribute("id").equals(key)) {
                return one;
            }
        }
        throw new AssertionError("no attribute " + key);
    }

    /** Returns why the engine refuses a value; empty when it takes it. */
    private String refusal(Method key, Object value) throws Exception {
        Object configured =
                Proxy.newProxyInstance(
                        loader,
                        new Class<?>[] {configuration},
                        (proxy, method, arguments) ->
                                method.equals(key) ? value : method.getDefaultValue());
        try {
            from.invoke(null, configured);
            return "";
        } catch (InvocationTargetException e) {
            return e.getCause().toString();
        }
    }

    private String refusal(Method key, long value) throws Exception {
        return refusal(key, key.getReturnType() == int.class ? (Object) (int) value : value);
    }

    private List<Method> numbers() {
        return Stream.of(configuration.getDeclaredMethods())
                .filter(key -> List.of(int.class, long.class).contains(key.getReturnType()))
                .toList();
    }

    @Test
    void configCheckKnowsEveryBoundThatTheEngineChecks() throws Exception {
        assertTrue(numbers().size() >= 18, numbers()::toString);
        for (Method key : numbers()) {
            long least = Long.parseLong(declared(key.getName()).getAttribute("min"));
            long most = Long.parseLong(declared(key.getName()).getAttribute("max"));
            assertEquals("", refusal(key, least));
            assertEquals("", refusal(key, most));
            assertEquals("", refusal(key, key.getDefaultValue()));
            for (long beyond : new long[] {least - 1, most + 1}) {
                String why = refusal(key, beyond);
                assertTrue(why.contains(key.getName()), key + " took " + beyond + ": " + why);
            }
        }
    }

    @Test
    void configCheckRefusesMemoryThatTheEngineRefuses() throws Exception {
        for (String name : List.of("runMemoryBytes", "runShareBytes")) {
            Method key = configuration.getMethod(name);
            assertEquals("", refusal(key, 0));
            assertTrue(refusal(key, 262_143).contains(name));
            assertEquals("262144", declared(name).getAttribute("min"));
            assertEquals("0", declared(name).getAttribute("default"));
        }
    }

    @Test
    void configCheckRefusesTextsOfALengthThatTheEngineRefuses() throws Exception {
        Method currency = configuration.getMethod("currency");
        for (String bad : List.of("", "USDUSDUSDUSDU")) {
            assertTrue(refusal(currency, bad).contains("currency"));
        }
        assertEquals("1", declared("currency").getAttribute("min"));
        assertEquals("12", declared("currency").getAttribute("max"));
        Method provider = configuration.getMethod("defaultProvider");
        assertTrue(refusal(provider, "").contains("defaultProvider"));
        assertEquals("1", declared("defaultProvider").getAttribute("min"));
    }
}
