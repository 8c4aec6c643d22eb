package io.kindred.report.plot;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** Parses drawings with the JDK, which refuses anything that is not well-formed. */
final class Xml {
  private Xml() {}

  static Document parse(String text) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    } catch (Exception malformed) {
      throw new AssertionError("not well-formed: " + text, malformed);
    }
  }

  static int count(String svg, String element) {
    return parse(svg).getElementsByTagName(element).getLength();
  }
}
