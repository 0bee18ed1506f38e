// expect: SAFE b0 (room:
// expect: SAFE b1 (order:
module queue(input clk, input push, pop, input [3:0] data);
  reg [3:0] words [0:3];
  reg [2:0] head = 0, tail = 0;
  wire [2:0] count = tail - head;
  wire enters = push && count < 4;
  wire leaves = pop && count > 0;
  reg watched = 0, seen = 0;
  reg [2:0] place;
  reg [3:0] value;
  always @(posedge clk) begin
    if (enters) begin words[tail[1:0]] <= data; tail <= tail + 1; end
    if (leaves) head <= head + 1;
    if (enters && !watched) begin watched <= 1; place <= tail; value <= data; end
    if (leaves && watched && head == place) seen <= 1;
  end
  room: assert property (count <= 4);
  order: assert property (!(watched && !seen && leaves && head == place) || words[head[1:0]] == value);
endmodule
