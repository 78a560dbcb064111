package palyra.lib.cedar.internal;

import java.lang.reflect.Proxy;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.Designate;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.CedarStatus;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.Converted;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.PolicySetLimits;
import palyra.lib.cedar.PreparedPolicySet;
import palyra.lib.cedar.PreparedUse;
import palyra.lib.cedar.internal.engine.CedarEngine;
import palyra.lib.cedar.internal.engine.Settings;

/**
 * Offers the engine as a service, also where there is no native library: then {@link #status} says
 * why, and every other call fails with the same sentence.
 */
@Component(
        name = CedarConfig.PID,
        configurationPid = CedarConfig.PID,
        immediate = true,
        service = Cedar.class)
@Designate(ocd = CedarConfig.class)
public final class CedarComponent implements Cedar {
    private final CedarEngine engine;

    /** Starts the engine's threads; the library is loaded on one of them. */
    @Activate
    public CedarComponent(CedarConfig config) {
        engine = new CedarEngine(settings(config), config.queueLimit());
    }

    /** Called by {@link java.util.ServiceLoader} where there is no framework: all by default. */
    public CedarComponent() {
        this(defaults());
    }

    private static CedarConfig defaults() {
        return (CedarConfig)
                Proxy.newProxyInstance(
                        CedarConfig.class.getClassLoader(),
                        new Class<?>[] {CedarConfig.class},
                        (proxy, key, arguments) -> key.getDefaultValue());
    }

    private static Settings settings(CedarConfig config) {
        return new Settings(
                PolicySetLimits.STANDARD, config.deadlineMillis(), config.maxPreparedSets());
    }

    @Modified
    void modified(CedarConfig config) {
        engine.settings(settings(config));
    }

    @Deactivate
    void deactivate() {
        engine.close();
    }

    @Override
    public CedarStatus status() {
        return engine.status();
    }

    @Override
    public Compilation compile(CompileRequest request) {
        return engine.compile(request);
    }

    @Override
    public Converted format(CedarFile policies, int lineWidth, int indentWidth) {
        return engine.format(policies, lineWidth, indentWidth);
    }

    @Override
    public List<Diagnostic> checkSchema(CedarFile schema) {
        return engine.checkSchema(schema);
    }

    @Override
    public Converted schemaToJson(CedarFile schema) {
        return engine.schemaToJson(schema);
    }

    @Override
    public Converted schemaToCedar(CedarFile schema) {
        return engine.schemaToCedar(schema);
    }

    @Override
    public List<Diagnostic> checkEntities(CedarFile schema, CedarFile entities) {
        return engine.checkEntities(schema, entities);
    }

    @Override
    public PreparedPolicySet prepare(Compilation compilation) {
        return engine.prepare(compilation);
    }

    @Override
    public PreparedPolicySet prepare(CompileRequest request, PreparedUse use) {
        return engine.prepare(request, use);
    }
}
