#include "talk.h"

#include <webots/emitter.h>
#include <webots/position_sensor.h>
#include <webots/receiver.h>
#include <webots/robot.h>

#define REPORT_STEPS 3

static WbDeviceTag report, orders, encoder;
static unsigned char heard; /* sum over all bytes of the orders */

void talk_init(int period) {
  report = wb_robot_get_device("report");
  orders = wb_robot_get_device("orders");
  encoder = wb_robot_get_device("left encoder");
  wb_receiver_enable(orders, 2 * period);
}

static void listen(void) {
  while (wb_receiver_get_queue_length(orders) > 0) {
    const unsigned char *data = wb_receiver_get_data(orders);
    for (int k = 0; k < wb_receiver_get_data_size(orders); k++) heard = (unsigned char)(31 * heard + data[k]);
    wb_receiver_next_packet(orders);
  }
}

/* What is heard goes into the reports alone: boards without a second line drive as the others do. */
void talk_step(long step, bool blocked) {
  listen();
  const int way = (int)(wb_position_sensor_get_value(encoder) * 100);
  const unsigned char words[] = {(unsigned char)step, heard, blocked, (unsigned char)(way >> 8),
                                 (unsigned char)way};
  if (step % REPORT_STEPS == 0) wb_emitter_send(report, words, sizeof words);
  if (step % 10 == 9) wb_emitter_send(report, "ten", 4);
}
