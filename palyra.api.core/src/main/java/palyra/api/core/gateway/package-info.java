/** What the gateway offers to the other bundles of Palyra. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("6.0.0")
package palyra.api.core.gateway;
