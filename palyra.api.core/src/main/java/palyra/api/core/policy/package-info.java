/** The policy engine: what decides, and what operators do with its policies. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("2.0.0")
package palyra.api.core.policy;
