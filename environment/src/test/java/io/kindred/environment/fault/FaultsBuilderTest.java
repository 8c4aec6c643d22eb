package io.kindred.environment.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.config.Setting;
import java.lang.reflect.RecordComponent;
import org.junit.jupiter.api.Test;

class FaultsBuilderTest {
  private static final RecordComponent[] COMPONENTS = Faults.class.getRecordComponents();

  @Test
  void whatIsNotSetHasTheDefaultOfItsSetting() throws ReflectiveOperationException {
    Faults unset = Faults.builder().build();
    for (RecordComponent component : COMPONENTS) {
      Setting setting = component.getAnnotation(Setting.class);
      assertThat(component.getAccessor().invoke(unset))
          .as(component.getName())
          .isEqualTo(Double.parseDouble(setting.fallback()));
    }
  }

  @Test
  void everySetterSetsTheComponentOfItsName() throws ReflectiveOperationException {
    FaultsBuilder builder = Faults.builder();
    for (int i = 0; i < COMPONENTS.length; i++) {
      FaultsBuilder.class
          .getMethod(COMPONENTS[i].getName(), double.class)
          .invoke(builder, 100.0 + i);
    }
    Faults all = builder.build();
    for (int i = 0; i < COMPONENTS.length; i++) {
      assertThat(COMPONENTS[i].getAccessor().invoke(all))
          .as(COMPONENTS[i].getName())
          .isEqualTo(100.0 + i);
    }
  }
}
