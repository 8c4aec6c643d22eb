package io.kindred.architecture;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * Dependencies between modules as their poms declare them. Modules above cli are not on its class
 * path, so their compiled classes cannot be checked here; but classes can only use modules that
 * their pom declares.
 */
final class PomDependencies {
  private static final String PROJECT_ARTIFACTS =
      "/project/dependencies/dependency[groupId='io.kindred' and not(scope='test')]/artifactId";

  private PomDependencies() {}

  static List<String> forbiddenDependencies(String module, String xml) {
    if (!ModuleRule.isKnown(module)) {
      return List.of("module " + module + ": " + ModuleRule.unknownMessage(module));
    }
    List<String> findings = new ArrayList<>();
    for (String artifact : projectDependencies(xml)) {
      String to = artifact.replaceFirst("^kindred-", "");
      if (!ModuleRule.named(module).mayDependOn(to)) {
        findings.add(
            ModuleRule.named(module)
                .forbiddenDependency(to, "the module file declares " + artifact));
      }
    }
    return findings;
  }

  private static List<String> projectDependencies(String xml) {
    try {
      Document document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(xml)));
      NodeList found =
          (NodeList)
              XPathFactory.newInstance()
                  .newXPath()
                  .evaluate(PROJECT_ARTIFACTS, document, XPathConstants.NODESET);
      List<String> artifacts = new ArrayList<>();
      for (int i = 0; i < found.getLength(); i++) {
        artifacts.add(found.item(i).getTextContent().strip());
      }
      return artifacts;
    } catch (IOException
        | SAXException
        | ParserConfigurationException
        | XPathExpressionException e) {
      throw new IllegalStateException("a module file that Maven reads must parse", e);
    }
  }
}
