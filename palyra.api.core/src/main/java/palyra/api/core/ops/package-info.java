/**
 * How parts of Palyra make themselves known to operators: endpoints, readiness, metrics, findings.
 */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.5.0")
package palyra.api.core.ops;
