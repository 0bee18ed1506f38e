module stage(input clk, input go, output reg [1:0] state);
  initial state = types::IDLE;
  always @(posedge clk) case (state)
    types::IDLE: if (go) state <= types::BUSY;
    types::BUSY: state <= types::DONE;
    default: state <= types::IDLE;
  endcase
endmodule
