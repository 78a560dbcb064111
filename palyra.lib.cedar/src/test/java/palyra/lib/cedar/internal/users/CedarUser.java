package palyra.lib.cedar.internal.users;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.EntityRef;
import palyra.lib.cedar.PreparedPolicySet;
import palyra.lib.cedar.TemplateLink;

/** A bundle that uses the engine and leaves a policy set behind, as a bad guest would. */
public final class CedarUser implements BundleActivator {
    private static final String POLICIES =
            "permit(principal, action, resource) when { context.n == 1 };"
                    + "@id(\"t\") permit(principal == ?principal, action, resource);";
    private static final String REQUEST =
            "{\"principal\":{\"type\":\"U\",\"id\":\"a\"},\"action\":{\"type\":\"Action\",\"id\":\"v\"},"
                    + "\"resource\":{\"type\":\"U\",\"id\":\"a\"},\"context\":{\"n\":%d}}";

    private PreparedPolicySet left;

    @Override
    public void start(BundleContext context) {
        Callable<String> report = () -> use(context);
        context.registerService(
                Callable.class, report, FrameworkUtil.asDictionary(Map.of("user", "cedar")));
    }

    private String use(BundleContext context) {
        ServiceReference<Cedar> reference = context.getServiceReference(Cedar.class);
        Cedar cedar = context.getService(reference);
        if (!cedar.status().available()) {
            return cedar.status().reason();
        }
        List<CedarFile> files = List.of(CedarFile.of("user.cedar", POLICIES));
        TemplateLink link =
                new TemplateLink("l", "t", Map.of("?principal", new EntityRef("U", "b")));
        left = cedar.prepare(cedar.compile(CompileRequest.of(files).withLinks(List.of(link))));
        int errors =
                cedar.compile(CompileRequest.of(List.of(CedarFile.of("bad", "nonsense"))))
                        .diagnostics()
                        .size();
        boolean yes = left.decide(REQUEST.formatted(1)).allowed();
        boolean no = left.decide(REQUEST.formatted(2)).allowed();
        return yes + " " + no + " " + errors;
    }

    @Override
    public void stop(BundleContext context) {
        // What it prepared stays open: the engine frees it when this bundle's classes go.
    }
}
