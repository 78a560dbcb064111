/** What the gateway offers to the other bundles of Palyra. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("4.2.0")
package palyra.api.core.gateway;
